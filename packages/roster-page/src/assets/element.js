/** Creates an element; strings become text nodes. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(2).filter((child) => child !== undefined && child !== false));
  return made;
}

export function button(text, onClick, attributes = {}) {
  const made = element('button', { type: 'button', class: 'plain', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
}
