import { announce, button, copyText, element } from '../../../pages/src/assets/dom.js';
import { addressOf, curlOf } from './roster-query.js';

/** Shows a request in readable form, with buttons to copy it as a URL or a command. */
export function showRequest(place, request) {
  const address = element('code', { class: 'unseen' }, addressOf(request));
  const curl = element('code', {}, curlOf(request));
  const isOpen = place.querySelector('details')?.open;
  place.replaceChildren(
    readable(request),
    element('p', { class: 'buttons' }, copyButton('Copy URL', address), copyButton('Copy curl', curl), address),
    element('details', { open: isOpen }, element('summary', {}, 'curl command'), command(curl)),
  );
}

/** Returns a request as a row of the log, with its command collapsed. */
export function requestRow(request) {
  const curl = element('code', {}, curlOf(request));
  const summary = element('summary', {}, readable(request, 'span'), outcome(request));
  return element('li', {}, element('details', {}, summary, command(curl), copyButton('Copy curl', curl)));
}

/** Returns the decoded address with its options highlighted. */
function readable({ method, url, query }, tag = 'p') {
  const options = query.map(([name, value], i) => [
    element('wbr'),
    element('span', { class: 'option' }, i ? '&' : '?', element('b', {}, name), '=', breakable(value)),
  ]);
  const verb = element('span', { class: 'verb' }, method);
  return element(tag, { class: 'readable' }, verb, ' ', new URL(url).pathname, options);
}

/** Allows a line break after each comma. */
function breakable(text) {
  return text.split(/(?<=,)/).flatMap((part) => [part, element('wbr')]);
}

function command(curl) {
  return element('pre', { tabindex: '0', 'aria-label': 'curl command of the request' }, curl);
}

export function outcome({ status, ms, bytes }) {
  const size = bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
  const state = element('span', { class: status < 400 ? 'mark good' : 'mark bad' }, String(status));
  return element('span', { class: 'outcome' }, state, ` ${Math.max(1, Math.round(ms))} ms · ${size}`);
}

function copyButton(text, code) {
  const made = button(text, async () => {
    const isCopied = await copyText(code);
    made.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    announce(isCopied ? 'Copied.' : 'The text is selected.');
    setTimeout(() => {
      made.textContent = text;
    }, 2000);
  });
  return made;
}
