import { button, element } from './element.js';

/** A failure as a card: what it is, each fault, where in the filter it lies, and when to try again. */
export function describeFailure(failure, { filter, onRetry } = {}) {
  const { title, message, errors, requestId, retryAfterS } = failure;
  const places = errors.map((fault) => ({ ...fault, ...placeOf(fault) }));
  const marked = places.find(({ parameter, offset }) => parameter === '$filter' && offset !== undefined && filter);
  return element(
    'div',
    { class: 'card failure', role: 'alert' },
    element('h2', {}, title),
    message !== title && element('p', {}, message),
    marked && markedFilter(filter, marked.offset),
    errors.length > 1 &&
      element(
        'ul',
        {},
        errors.map(({ detail }) => element('li', {}, detail)),
      ),
    requestId && element('p', { class: 'hint' }, 'Request ', element('code', {}, requestId)),
    !onRetry && retryAfterS && element('p', {}, `Try again in ${retryAfterS} s.`),
    onRetry && isPassing(failure) && retryButton(onRetry, retryAfterS),
  );
}

/** What is refused once is refused again; a limit or an outage passes. */
function isPassing({ status }) {
  return status === 0 || status === 429 || status >= 500;
}

/** `At offset 12: …` names a place in the text of the option. */
export function placeOf({ detail = '' }) {
  const found = /^At offset (\d+): /.exec(detail);
  return found === null ? {} : { offset: Number(found[1]) };
}

/** The filter with a mark under the sign at which the server stopped; at its end, under a space. */
function markedFilter(filter, offset) {
  const at = Math.min(offset, filter.length);
  const sign = String.fromCodePoint(filter.codePointAt(at) ?? 32);
  return element(
    'pre',
    { class: 'marked', tabindex: '0', 'aria-label': `The filter, wrong at offset ${at}` },
    element(
      'code',
      {},
      filter.slice(0, at),
      element('mark', { 'data-offset': at }, sign),
      filter.slice(at + sign.length),
    ),
  );
}

/** Works once the server wants to be asked again. */
function retryButton(onRetry, retryAfterS = 0) {
  const made = button('Try again', onRetry);
  let leftS = Math.min(retryAfterS, 3600);
  const count = () => {
    made.disabled = leftS > 0;
    made.textContent = leftS > 0 ? `Try again in ${leftS} s` : 'Try again';
    if (leftS-- > 0) setTimeout(() => made.isConnected && count(), 1000);
  };
  count();
  return element('p', { class: 'buttons' }, made);
}
