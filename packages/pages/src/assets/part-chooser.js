import { findOperations, partNamed, partsOf, takePart } from './contract-parts.js';
import { element } from './dom.js';

/** Most operations to render at once; larger documents are shown in parts. */
const partMax = 100;
const foundMax = 12;

/** Calls `show` with the document, or with a part of a large one, with a chooser of parts and a search above the page. */
export function showInParts(contract, show) {
  const parts = partsOf(contract, partMax);
  const total = parts.reduce((sum, { operations }) => sum + operations.length, 0);
  if (total <= partMax) {
    show(contract);
    return;
  }
  let current = partNamed(parts, location.hash) ?? parts[0];
  const chooser = createChooser(parts, total);
  const [select, input, list] = ['select', 'input', 'ul'].map((name) => chooser.querySelector(name));
  document.getElementById('page').before(chooser);
  const turnTo = (part) => {
    current = part;
    select.value = String(parts.indexOf(part));
    show(takePart(contract, part));
  };
  select.addEventListener('change', () => {
    history.replaceState(null, '', location.pathname + location.search);
    turnTo(parts[Number(select.value)]);
  });
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : findOperations(contract, words, foundMax);
    list.replaceChildren(...found.map(createFound));
    if (words.length > 0 && found.length === 0) list.append(element('li', {}, 'Nothing found'));
  });
  list.addEventListener('click', () => {
    input.value = '';
    // The link must still be followed.
    setTimeout(() => list.replaceChildren());
  });
  chooser.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('hashchange', () => {
    const named = partNamed(parts, location.hash);
    if (named !== undefined && named !== current) turnTo(named);
  });
  turnTo(current);
}

function createChooser(parts, total) {
  const select = element('select');
  select.append(...parts.map(({ name, operations }, i) => new Option(`${name} (${operations.length})`, String(i))));
  return element(
    'form',
    { class: 'parts', role: 'search', 'aria-label': 'The whole contract' },
    labelled('Part', select),
    labelled(`Find in all ${total} operations`, element('input', { type: 'search', autocomplete: 'off' })),
    element('ul', { 'aria-label': 'Found' }),
  );
}

function labelled(text, control) {
  return element('label', {}, element('span', {}, text), control);
}

function createFound({ method, path, operation }) {
  const href = `#operation/${encodeURIComponent(operation.operationId)}`;
  const link = element('a', { href }, `${method.toUpperCase()} ${path}`);
  return element('li', {}, link, ` ${operation.summary ?? ''}`);
}
