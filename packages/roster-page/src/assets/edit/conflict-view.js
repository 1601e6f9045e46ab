import { element } from '../../../../pages/src/assets/dom.js';

/** Returns an explanation of a conflict: what differs from the version that the reader saw, and what the reader wants. */
export function describeConflict(rows, { detail } = {}) {
  const isTheirs = rows.some((row) => row.isTheirs);
  const isBoth = rows.some((row) => row.isBoth);
  return element(
    'div',
    { class: 'conflict' },
    element('h5', { tabindex: '-1' }, detail ? 'What you are changing is gone' : 'Somebody else was faster'),
    element(
      'p',
      {},
      detail
        ? `${detail} Nothing was saved, and your input is still here.`
        : 'This person has changed since you opened it. Nothing was saved, and your input is still here.',
    ),
    !isTheirs && element('p', {}, 'The change is in a part that is not compared here, such as locations.'),
    rows.length > 0 && tableOf(rows),
    isBoth &&
      element('p', { class: 'hint' }, 'Marked: both changes concern the same value. Applying yours replaces theirs.'),
  );
}

function tableOf(rows) {
  const head = ['Value', 'Before', 'Now', 'Yours'];
  // The roles stay when a narrow screen shows rows as blocks.
  const columns = head.map((text) => element('th', { scope: 'col', role: 'columnheader' }, text));
  return element(
    'table',
    { role: 'table', 'aria-label': 'Both changes' },
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, columns)),
    element('tbody', { role: 'rowgroup' }, rows.map(rowOf)),
  );
}

function rowOf({ label, before, now, yours, isTheirs, isMine, isBoth }) {
  const cell = (text, isChanged) => element('td', { role: 'cell', class: isChanged && 'changed' }, text ?? '–');
  return element(
    'tr',
    { role: 'row', class: isBoth && 'both' },
    element(
      'th',
      { scope: 'row', role: 'rowheader' },
      label,
      isBoth && element('span', { class: 'unseen' }, ' (both changed)'),
    ),
    cell(before, false),
    cell(now, isTheirs),
    isMine ? cell(yours, true) : element('td', { role: 'cell' }, element('span', { class: 'hint' }, 'unchanged')),
  );
}
