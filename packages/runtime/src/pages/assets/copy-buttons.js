import { announce } from './announce.js';
import { copyText } from './copy-text.js';

/** Makes what the server rendered true for where it was loaded from, and its buttons usable. */
export function prepareRows(root = document) {
  const origin = new URL('.', location.href).href.replace(/\/$/, '');
  for (const code of root.querySelectorAll('code[data-origin]')) {
    code.textContent = code.textContent.replaceAll(code.dataset.origin, origin);
  }
  for (const button of root.querySelectorAll('button.copy')) button.hidden = false;
}

export function startCopyButtons() {
  prepareRows();
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button.copy');
    if (button === null) return;
    const code = button.closest('li').querySelector('pre code');
    const isCopied = await copyText(code);
    show(button, isCopied ? 'Copied' : 'Press Ctrl+C', isCopied ? 'Copied the curl line.' : 'The line is selected.');
  });
}

function show(button, text, said) {
  button.textContent = text;
  announce(said);
  setTimeout(() => {
    button.textContent = 'Copy curl';
  }, 2000);
}
