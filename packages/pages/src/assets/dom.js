/** Creates an element; strings become text nodes. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(2).filter((child) => child !== undefined && child !== false));
  return made;
}

/** Creates a button that does not submit its form. */
export function button(text, onClick, attributes = {}) {
  const made = element('button', { type: 'button', class: 'plain', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
}

/** Announces a text once to screen readers. */
export function announce(text) {
  const region = document.getElementById('said') ?? element('p', { id: 'said', class: 'unseen', role: 'status' });
  // Below an open dialog, the page is inert and not announced.
  const place = document.querySelector('dialog:modal') ?? document.querySelector('main');
  if (region.parentElement !== place) place.append(region);
  // An unchanged text would not be read again.
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Sets a text only if it changes: a live region announces each write. */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Copies an element's text; returns whether that worked. If not, the text is selected. */
export async function copyText(place) {
  try {
    await navigator.clipboard.writeText(place.textContent);
    return true;
  } catch {
    // Pages over plain HTTP have no clipboard API.
    const details = place.closest('details');
    if (details !== null) details.open = true;
    getSelection().selectAllChildren(place);
    return document.execCommand('copy');
  }
}
