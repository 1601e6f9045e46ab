import { announce, copyText } from './dom.js';

/** Replaces the rendered origin by the page's own, and enables the copy buttons. */
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
    const code = button.closest('li, section').querySelector('pre code');
    const isCopied = await copyText(code);
    show(
      button,
      isCopied ? 'Copied' : 'Press Ctrl+C',
      isCopied ? 'Copied the curl command.' : 'The command is selected.',
    );
  });
}

function show(button, text, announcement) {
  button.textContent = text;
  announce(announcement);
  setTimeout(() => {
    button.textContent = 'Copy curl';
  }, 2000);
}
