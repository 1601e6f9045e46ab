import { readPeople } from '../api-session.js';
import { nameOf } from '../people-table.js';
import { rosterFilter } from '../roster-query.js';
import { openEditor } from './editor.js';
import { labelled, offerChoices, textInput } from './fields.js';
import { managerWrite } from './writes.js';

/** The reader types a StaffId, or a name to find one. */
const suggestionsMax = 10;
const pauseMs = 300;

/** Opens the form that sets or clears a person's manager. */
export function editManager(panel, opener, shown) {
  const control = textInput(shown.person.ManagerId, { maxlength: '400', choices: [] });
  let typing;
  control.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => suggest(control), pauseMs);
  });
  openEditor(panel, {
    title: 'Change the manager',
    opener,
    shown,
    fields: [
      labelled('StaffId of the manager', control, {
        pointer: '/ManagerId',
        hint: 'Type a name to find a StaffId. Empty: no manager.',
      }),
    ],
    writeFor: () => managerWrite(shown.person, control.value.trim()),
  });
}

async function suggest(control) {
  const text = control.value;
  if (text.trim() === '') return;
  try {
    const { body } = await readPeople([
      ['$filter', rosterFilter({ text })],
      ['$select', 'StaffId,FirstName,LastName'],
      ['$top', String(suggestionsMax)],
      ['$count', 'true'],
    ]);
    if (control.value !== text) return;
    offerChoices(
      control,
      body.value.map((person) => [person.StaffId, nameOf(person)]),
    );
  } catch {
    // The field works without suggestions.
  }
}
