import { announce, button, element } from '../../../../pages/src/assets/dom.js';
import { describeFailure } from '../failure-view.js';
import { compareVersions } from './compare-versions.js';
import { describeConflict } from './conflict-view.js';
import { factsOf } from './facts.js';
import { clearFaults, showFaults } from './fields.js';

let editors = 0;

/**
 * Opens a form below the heading of a part. `writeFor` returns the write of the current input for a version of the person,
 * undefined when it changes nothing. The form saves with the version that the reader has seen, explains what the server
 * rejects without losing input, and closes.
 */
export function openEditor(panel, { title, opener, shown, fields, writeFor, verb = 'Save', tagNames }) {
  const heading = element('h4', { id: `editor-${++editors}` }, title);
  const conflict = element('div');
  const faults = element('div', { role: 'alert' });
  const submit = element('button', { class: 'main' }, verb);
  const cancel = button('Cancel', () => (isReloading ? finish('Your change is discarded.') : close()));
  const buttons = element('p', { class: 'buttons' }, submit, cancel);
  const form = element(
    'form',
    { class: 'editor', 'aria-labelledby': heading.id },
    ...[heading, element('div', { class: 'fields' }, fields), conflict, faults, buttons],
  );
  /** The version that the reader has seen. */
  let seen = shown;
  let isReloading = false;

  form.addEventListener('input', () => form.classList.add('changed'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save();
  });
  panel.lock(true);
  opener.closest('.part-head, .item').after(form);
  (form.querySelector(':is(input, select)') ?? submit).focus();

  function close() {
    form.remove();
    panel.lock(false);
    opener.focus();
  }

  /** Shows the current version in place of the form; no other form may be opened before. */
  async function finish(text) {
    form.remove();
    await panel.reload();
    panel.lock(false);
    announce(text);
    panel.focus(opener);
  }

  async function save() {
    clearFaults(form);
    faults.replaceChildren();
    const write = writeFor(seen);
    if (write === undefined) {
      faults.append(element('p', {}, 'You have changed nothing.'));
      return;
    }
    setBusy(true);
    try {
      await sendWrite(write);
    } catch (failure) {
      setBusy(false);
      if (failure.name !== 'AbortError') await explain(failure);
      return;
    }
    // The panel was closed, or shows another person by now.
    if (!form.isConnected) return panel.onChanged();
    await finish('Saved.');
  }

  function sendWrite({ method, path, body }) {
    const headers = {
      ...(seen.version !== null && { 'If-Match': seen.version }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    return panel.ask(path, { method, headers, body: body && JSON.stringify(body) });
  }

  async function explain(failure) {
    if (failure.status === 412 || failure.status === 404) return explainConflict(failure);
    if (failure.status === 501 && seen.version !== null) return offerUnchecked(failure);
    const others = showFaults(form, failure.errors);
    const isPlaced = others.length < failure.errors.length;
    if (!isPlaced) faults.append(describeFailure(failure));
    else if (others.length > 0)
      faults.append(describeFailure({ ...failure, message: failure.message, errors: others }));
    else faults.append(element('p', {}, 'Nothing was saved. Correct the marked fields.'));
  }

  /** Compares the version that the reader saw with the current one, which the next attempt applies to. */
  async function explainConflict({ status, message }) {
    setBusy(true);
    try {
      const latest = await panel.readLatest();
      const isGone = status === 404;
      const before = factsOf(seen, tagNames);
      // What the panel has not loaded is not compared.
      const now = factsOf({ ...latest, person: seen.person && latest.person }, tagNames);
      const mine = isGone ? new Map() : (writeFor(latest)?.sets ?? new Map());
      const rows = compareVersions(before, now, mine);
      conflict.replaceChildren(describeConflict(rows, { detail: isGone ? message : undefined }));
      seen = latest;
      isReloading = true;
      submit.hidden = isGone;
      submit.textContent = 'Apply my change to this version';
      cancel.textContent = 'Discard my change and reload';
      conflict.querySelector('h5').focus();
      conflict.scrollIntoView({ block: 'nearest' });
    } catch (failure) {
      if (failure.name !== 'AbortError') faults.append(describeFailure(failure));
    }
    setBusy(false);
  }

  /** An upstream without versions cannot check whether somebody else was faster. */
  function offerUnchecked(failure) {
    faults.append(
      describeFailure(failure),
      element('p', {}, 'Without versions, your change replaces one that somebody else makes at the same time.'),
    );
    seen = { ...seen, version: null };
    submit.textContent = `${verb} without the check`;
  }

  function setBusy(isBusy) {
    form.setAttribute('aria-busy', isBusy);
    submit.disabled = isBusy;
    cancel.disabled = isBusy;
  }
}
