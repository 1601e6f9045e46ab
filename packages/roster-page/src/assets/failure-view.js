import { button, element } from '../../../pages/src/assets/dom.js';

/** Returns a failure as a card: title, faults, the place in the filter, and a retry button. */
export function describeFailure(failure, { filter, onRetry } = {}) {
  const { title = 'The page has failed', message, errors = [], requestId, retryAfterS } = failure;
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
    onRetry && isTemporary(failure) && retryButton(onRetry, retryAfterS),
  );
}

/** Whether a retry can succeed. */
function isTemporary({ status }) {
  return status === 0 || status === 429 || status >= 500;
}

/** Reads the place in an option from a detail such as `At offset 12: …`. */
export function placeOf({ detail = '' }) {
  const found = /^At offset (\d+): /.exec(detail);
  return found === null ? {} : { offset: Number(found[1]) };
}

/** Returns the filter with the character at the fault marked; at its end, a space. */
function markedFilter(filter, offset) {
  const at = Math.min(offset, filter.length);
  const sign = String.fromCodePoint(filter.codePointAt(at) ?? 32);
  return element(
    'pre',
    { class: 'marked', tabindex: '0', 'aria-label': `Filter with a fault at offset ${at}` },
    element(
      'code',
      {},
      filter.slice(0, at),
      element('mark', { 'data-offset': at }, sign),
      filter.slice(at + sign.length),
    ),
  );
}

/** Returns a button that is disabled until Retry-After has passed. */
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
