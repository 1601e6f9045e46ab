import { element } from '../../../../pages/src/assets/dom.js';
import { placeFaults } from './fault-places.js';

let count = 0;

/** Returns a control with its label; `pointer` is its place in the body of the request. */
export function labelled(label, control, { pointer, hint } = {}) {
  control.id = `edit-${++count}`;
  if (pointer) control.dataset.pointer = pointer;
  const explained = hint && element('span', { class: 'hint', id: `${control.id}-hint` }, hint);
  if (explained) control.setAttribute('aria-describedby', explained.id);
  return element('div', { class: 'field' }, element('label', { for: control.id }, label), control, explained);
}

/** Returns a checkbox in its label. */
export function checkbox(label, checked, { pointer, value } = {}) {
  const control = element('input', { type: 'checkbox', checked, value, 'data-pointer': pointer });
  control.id = `edit-${++count}`;
  return element('label', { class: 'check' }, control, ` ${label}`);
}

/** Returns a text input; `choices` are offered while typing. */
export function textInput(value, { choices, ...attributes } = {}) {
  const control = element('input', { value: value ?? '', autocomplete: 'off', spellcheck: 'false', ...attributes });
  if (choices) offerChoices(control, choices);
  return control;
}

/** Offers texts, or pairs of a text and its explanation, while the reader types. */
export function offerChoices(control, choices) {
  const options = choices.map((one) => {
    const [value, label] = [one].flat();
    return element('option', { value, label });
  });
  let list = document.getElementById(control.getAttribute('list') ?? '');
  if (list === null) {
    list = element('datalist', { id: `edit-${++count}` });
    control.setAttribute('list', list.id);
    queueMicrotask(() => control.after(list));
  }
  list.replaceChildren(...options);
}

/** Returns a select of pairs of a value and its text. */
export function select(options, value) {
  const control = element('select');
  chooseFrom(control, options, value);
  return control;
}

export function chooseFrom(control, options, value = '') {
  control.replaceChildren(...options.map(([one, text]) => element('option', { value: one }, text)));
  control.value = value;
}

const midnight = /T00:00:00$/;

/** Returns an input for a date of the API, with a time where the stored date has one. */
export function dateInput(stored) {
  const isDay = stored === null || midnight.test(stored);
  const value = isDay ? (stored?.replace(midnight, '') ?? '') : stored;
  return element('input', { type: isDay ? 'date' : 'datetime-local', step: isDay ? undefined : '0.001', value });
}

/** Returns the date of an input: the stored one unless the reader has changed it; null for none. */
export function dateOf(control, stored) {
  const untouched = dateInput(stored);
  if (control.value === untouched.value) return stored;
  if (control.value === '') return null;
  if (control.type === 'date') return `${control.value}T00:00:00`;
  return control.value.length === 16 ? `${control.value}:00` : control.value;
}

/** Shows faults at the fields that they name, and focuses the first; returns the other faults. */
export function showFaults(form, errors) {
  const controls = [...form.querySelectorAll('[data-pointer]')];
  const { placed, others } = placeFaults(
    errors,
    controls.map(({ dataset }) => dataset.pointer),
  );
  for (const control of controls) {
    const details = placed.get(control.dataset.pointer);
    if (details === undefined) continue;
    const fault = element(
      'p',
      { class: 'fault', id: `edit-${++count}` },
      `${control.labels[0]?.textContent.trim() ?? control.ariaLabel} ${details.join('; ')}.`,
    );
    (control.closest('label') ?? control).after(fault);
    control.setAttribute('aria-invalid', 'true');
    control.setAttribute('aria-errormessage', fault.id);
    describeBy(control, (ids) => [...ids, fault.id]);
  }
  form.querySelector('[aria-invalid]')?.focus();
  return others;
}

/** Removes the faults of an earlier response. */
export function clearFaults(form) {
  const ids = [...form.querySelectorAll('.fault')].map((fault) => {
    fault.remove();
    return fault.id;
  });
  for (const control of form.querySelectorAll('[aria-invalid]')) {
    control.removeAttribute('aria-invalid');
    control.removeAttribute('aria-errormessage');
    describeBy(control, (all) => all.filter((id) => !ids.includes(id)));
  }
}

function describeBy(control, change) {
  const ids = change(control.getAttribute('aria-describedby')?.split(' ') ?? []);
  if (ids.length > 0) control.setAttribute('aria-describedby', ids.join(' '));
  else control.removeAttribute('aria-describedby');
}
