import { element } from '../../../../pages/src/assets/dom.js';
import { openEditor } from './editor.js';
import { dateInput, labelled } from './fields.js';
import { tagPair } from './tag-pair.js';
import { tagWrite } from './writes.js';

/** Opens the form that tags a person. */
export function editTags(panel, opener, shown, choices) {
  const pair = tagPair(choices, { labels: ['Category', 'Tag'], pointers: ['/category', '/name'] });
  const from = dateInput(null);
  openEditor(panel, {
    title: 'Add a tag',
    opener,
    shown,
    fields: [
      ...pair.nodes,
      labelled('Effective from', from, { pointer: '/effectiveDate', hint: 'Empty: today.' }),
      element(
        'p',
        { class: 'hint wide' },
        'A tag that the person already has gets this date. The API removes no tags.',
      ),
    ],
    writeFor: () => tagWrite({ ...pair.read(), from: from.value }),
  });
}
