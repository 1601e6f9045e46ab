import { announce } from './announce.js';
import { copyText } from './copy-text.js';
import { button, element } from './element.js';
import { addressOf, curlOf } from './roster-query.js';

/** The request behind what is shown: readable, to copy as an address or as a command, and what became of it. */
export function showRequest(place, request) {
  const address = element('code', { class: 'unseen' }, addressOf(request));
  const curl = element('code', {}, curlOf(request));
  const isOpen = place.querySelector('details')?.open;
  place.replaceChildren(
    readable(request),
    element('p', { class: 'buttons' }, copyButton('Copy address', address), copyButton('Copy curl', curl), address),
    element('details', { open: isOpen }, element('summary', {}, 'As a command'), command(curl)),
  );
}

/** A request of many, its command folded. */
export function requestRow(request) {
  const curl = element('code', {}, curlOf(request));
  const summary = element('summary', {}, readable(request, 'span'), outcome(request));
  return element('li', {}, element('details', {}, summary, command(curl), copyButton('Copy curl', curl)));
}

/** The address as people read it: decoded, an option after the other. */
function readable({ method, url, query }, tag = 'p') {
  const options = query.map(([name, value], i) => [
    element('wbr'),
    element('span', { class: 'option' }, i ? '&' : '?', element('b', {}, name), '=', breakable(value)),
  ]);
  const verb = element('span', { class: 'verb' }, method);
  return element(tag, { class: 'readable' }, verb, ' ', new URL(url).pathname, options);
}

/** A list may break after its commas. */
function breakable(text) {
  return text.split(/(?<=,)/).flatMap((part) => [part, element('wbr')]);
}

function command(curl) {
  return element('pre', { tabindex: '0', 'aria-label': 'The request as a command' }, curl);
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
