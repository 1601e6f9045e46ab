/** Says something once to those who listen to the page rather than see it. */
export function announce(text) {
  let region = document.getElementById('said');
  if (region === null) {
    region = document.createElement('p');
    region.id = 'said';
    region.className = 'unseen';
    region.setAttribute('role', 'status');
    document.querySelector('main').append(region);
  }
  // Written anew, the same words would not be read again.
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Writes a text only when it is another: live regions speak at each writing. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
