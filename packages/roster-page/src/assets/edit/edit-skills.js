import { element } from '../../../../pages/src/assets/dom.js';
import { weekDays } from '../people-table.js';
import { openEditor } from './editor.js';
import { checkbox, labelled, select, textInput } from './fields.js';
import { skillRemoval, skillWrite } from './writes.js';

const usualFrequencies = ['Weekly', 'Biweekly'];

/** Opens the form that sets the days of a skill, of one that the person has or of another. */
export function editSkills(panel, opener, shown, { skills }) {
  const own = shown.person.Skillset;
  const others = skills.filter(({ key }) => !own.some(({ TaskKey }) => TaskKey === key));
  const group = (label, pairs) =>
    element(
      'optgroup',
      { label },
      pairs.map(([value, text]) => element('option', { value }, text)),
    );
  const task = element(
    'select',
    { required: true },
    element('option', { value: '' }, 'Choose'),
    own.length > 0 && group('Skills of this person', own.map(pairOf)),
    others.length > 0 &&
      group(
        'Other skills',
        others.map(({ key, name }) => [key, name]),
      ),
  );
  const frequencies = new Set([...usualFrequencies, ...own.flatMap(frequenciesOf)]);
  const week = element('fieldset', { class: 'days wide' });
  let rows = [];
  const chosen = () => {
    const { key, name } = skills.find((one) => one.key === task.value) ?? {};
    return own.find(({ TaskKey }) => TaskKey === task.value) ?? { TaskKey: key, TaskName: name };
  };
  const showDays = () => {
    rows = weekDays.map((day) => dayRow(day, chosen(), [...frequencies]));
    week.replaceChildren(element('legend', {}, 'Days'), ...rows.map(({ node }) => node));
  };
  task.addEventListener('input', showDays);
  showDays();
  openEditor(panel, {
    title: 'Add or change a skill',
    opener,
    shown,
    fields: [labelled('Skill', task), week],
    writeFor: () => skillWrite(chosen(), Object.fromEntries(rows.map(({ day, read }) => [day, read()]))),
  });
}

/** Opens the form that removes a skill. */
export function removeSkills(panel, opener, shown) {
  const own = shown.person.Skillset;
  const task = select(own.map(pairOf), own[0].TaskKey);
  openEditor(panel, {
    title: 'Remove a skill',
    opener,
    shown,
    verb: 'Remove',
    fields: [labelled('Skill', task, { hint: 'It is removed for all days.' })],
    writeFor: () => skillRemoval(own.find(({ TaskKey }) => TaskKey === task.value)),
  });
}

const pairOf = ({ TaskKey, TaskName }) => [TaskKey, TaskName];
const frequenciesOf = (skill) => weekDays.map((day) => skill[`${day}Occurrence`]).filter(Boolean);

function dayRow(day, skill, frequencies) {
  const check = checkbox(day, skill[`IsSkilled${day}`] === true, { pointer: `/IsSkilled${day}` });
  const isSkilled = check.querySelector('input');
  const often = textInput(skill[`${day}Occurrence`], {
    choices: frequencies,
    'aria-label': `Frequency on ${day}`,
    'data-pointer': `/${day}Occurrence`,
    placeholder: 'how often',
    disabled: !isSkilled.checked,
  });
  isSkilled.addEventListener('input', () => {
    often.disabled = !isSkilled.checked;
  });
  return {
    day,
    node: element('div', { class: 'day' }, check, often),
    read: () => ({ isSkilled: isSkilled.checked, often: often.value.trim() }),
  };
}
