import { announce, copyText } from './dom.js';

for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copyText(button.closest('.code').querySelector('code'));
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    announce(isCopied ? 'Copied.' : 'The text is selected.');
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
}
