/** Announces a text once to screen readers. */
export function announce(text) {
  let region = document.getElementById('said');
  if (region === null) {
    region = document.createElement('p');
    region.id = 'said';
    region.className = 'unseen';
    region.setAttribute('role', 'status');
    document.querySelector('main').append(region);
  }
  // An unchanged text would not be read again.
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Sets a text only if it changes: a live region announces each write. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
