import { button, element } from '../../../../pages/src/assets/dom.js';
import { tagNamesOf } from './choices.js';
import { openEditor } from './editor.js';
import { checkbox, dateInput, dateOf, labelled, textInput } from './fields.js';
import { tagPair } from './tag-pair.js';
import { payModifierRemoval, payModifierWrite, withTagsOf } from './writes.js';

/** Opens the form of a pay modifier; of a new one without `stored`. */
export function editPayModifier(panel, opener, shown, choices, stored) {
  const tags = withTagsOf(choices.tags, stored);
  const before = valuesOf(stored, tags);
  const position = textInput(before.PositionId, { maxlength: '400' });
  const isPrimary = checkbox('IsPrimaryPosition', before.IsPrimaryPosition, { pointer: '/IsPrimaryPosition' });
  const isLocked = checkbox('IsHistoricAccessLocked', before.IsHistoricAccessLocked, {
    pointer: '/IsHistoricAccessLocked',
  });
  const [start, end] = [dateInput(before.StartDate), dateInput(before.EndDate)];
  const [location, task] = ['LocationTag', 'TaskTag'].map((member) =>
    tagPair(
      { ...choices, tags },
      {
        labels: [`${member}Category`, `${member}Name`],
        pointers: [`/${member}Category`, `/${member}Name`],
        value: before[member],
        none: nameOfNone(before[member], stored?.[`${member}Key`] ?? null),
      },
    ),
  );
  const own = tagSet(choices, tags, before.Tags);
  const read = () => ({
    PositionId: position.value === (before.PositionId ?? '') ? before.PositionId : position.value || null,
    IsPrimaryPosition: isChecked(isPrimary),
    IsHistoricAccessLocked: isChecked(isLocked),
    StartDate: dateOf(start, before.StartDate),
    EndDate: dateOf(end, before.EndDate),
    LocationTag: location.read(),
    TaskTag: task.read(),
    Tags: own.read(),
  });
  openEditor(panel, {
    title: stored === undefined ? 'Add a pay modifier' : `Change the pay modifier ${stored.PositionId ?? ''}`,
    opener,
    shown,
    tagNames: tagNamesOf({ tags }),
    fields: [
      labelled('PositionId', position, { pointer: '/PositionId' }),
      element('div', { class: 'field checks' }, isPrimary, isLocked),
      labelled('StartDate', start, { pointer: '/StartDate' }),
      labelled('EndDate', end, { pointer: '/EndDate' }),
      ...location.nodes,
      ...task.nodes,
      own.node,
    ],
    // The tags are set as a whole: those of the current version, with the reader's changes.
    writeFor: ({ payModifiers }) => payModifierWrite(findIn(payModifiers, stored), before, read(), tags),
  });
}

/** Opens the form that deletes a pay modifier. */
export function deletePayModifier(panel, opener, shown, choices, stored) {
  const tagNames = tagNamesOf(choices);
  openEditor(panel, {
    title: `Delete the pay modifier ${stored.PositionId ?? ''}`,
    opener,
    shown,
    verb: 'Delete',
    tagNames,
    fields: [element('p', { class: 'wide' }, 'It is removed with its dates and tags.')],
    writeFor: ({ payModifiers }) => payModifierRemoval(findIn(payModifiers, stored), tagNames),
  });
}

const findIn = (payModifiers, stored) =>
  stored && (payModifiers.find(({ PayModifierKey }) => PayModifierKey === stored.PayModifierKey) ?? stored);

function valuesOf(stored, tags) {
  const { PositionId = null, StartDate = null, EndDate = null } = stored ?? {};
  return {
    ...{ PositionId, StartDate, EndDate },
    IsPrimaryPosition: stored?.IsPrimaryPosition ?? false,
    IsHistoricAccessLocked: stored?.IsHistoricAccessLocked ?? false,
    LocationTag: tags.get(stored?.LocationTagKey),
    TaskTag: tags.get(stored?.TaskTagKey),
    Tags: stored?.PayModifierTagKeys.map(({ TagKey }) => TagKey) ?? [],
  };
}

/** Returns checkboxes for tags, with fields to add more. */
function tagSet(choices, tags, keys) {
  const list = element('div', { class: 'chosen' });
  const add = (key) => {
    const { category, name } = tags.get(key);
    list.append(checkbox(`${category}: ${name}`, true, { value: String(key) }));
  };
  for (const key of keys) add(key);
  const pair = tagPair(
    { ...choices, isComplete: true, tags },
    { labels: ['Category', 'Tag'], pointers: ['/PayModifierTags'], none: 'Choose' },
  );
  const addChosen = button('Add the tag', () => {
    const wanted = pair.read() ?? {};
    const tag = [...tags.values()].find(({ category, name }) => category === wanted.category && name === wanted.name);
    if (tag === undefined) return;
    const known = list.querySelector(`[value="${tag.key}"]`);
    if (known === null) add(tag.key);
    else known.checked = true;
    list.closest('form').classList.add('changed');
  });
  return {
    node: element(
      'fieldset',
      { class: 'wide' },
      element('legend', {}, 'Tags'),
      list,
      element('div', { class: 'fields' }, pair.nodes, element('div', { class: 'field' }, addChosen)),
    ),
    read: () => [...list.querySelectorAll('input:checked')].map(({ value }) => Number(value)),
  };
}

/** A tag that is not among the choices stays as it is. */
const nameOfNone = (known, key) => (known === undefined && key !== null ? `Tag ${key}, unchanged` : 'None');

const isChecked = (label) => label.querySelector('input').checked;
