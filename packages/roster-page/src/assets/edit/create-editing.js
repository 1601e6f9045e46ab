import { button, element } from '../../../../pages/src/assets/dom.js';
import { describeFailure } from '../failure-view.js';
import { loadChoices } from './choices.js';
import { editManager } from './edit-manager.js';
import { deletePayModifier, editPayModifier } from './edit-pay-modifiers.js';
import { editSkills, removeSkills } from './edit-skills.js';
import { editTags } from './edit-tags.js';

/**
 * Returns what offers the writes of `rights` in the panel of a person. One form is open at a time, so that no saved change
 * reloads another form's input away.
 */
export function createEditing({ rights, ask, readPerson, readPayModifiers, reload, onChanged }) {
  const dialog = document.getElementById('person');
  const openers = () => [...dialog.querySelectorAll('button.edit')];
  /** What the panel shows; parts that are not loaded are not compared. */
  let person;
  let payModifiers;
  let isLocked = false;

  const panel = {
    ask,
    reload,
    onChanged,
    /** Also locks the buttons that a reload creates. */
    lock(isNow) {
      isLocked = isNow;
      for (const opener of openers()) opener.disabled = isLocked;
    },
    /** Focuses the button of the same name after a reload, or the name of the person. */
    focus(opener) {
      const same = openers().find(({ textContent }) => textContent === opener.textContent);
      (same ?? document.getElementById('person-name')).focus();
    },
    /** The older version of the two reads: if the person changes in between, the next write is rejected again. */
    async readLatest() {
      const pay = payModifiers && (await readPayModifiers());
      const { body, version } = await readPerson();
      return { person: body, payModifiers: pay?.body, version: pay?.version ?? version };
    },
  };

  /** Returns a button that opens a form, once its choices are loaded. */
  function opener(text, open, more) {
    const made = button([text, more].flat(), () => openWith(made, open), { class: 'plain edit' });
    made.disabled = isLocked;
    return made;
  }

  async function openWith(made, open) {
    const head = made.closest('.part-head, .item');
    if (head.nextElementSibling?.matches('.failure')) head.nextElementSibling.remove();
    panel.lock(true);
    try {
      const choices = await loadChoices();
      if (made.isConnected) open(made, choices);
      else panel.lock(false);
    } catch (failure) {
      panel.lock(false);
      if (failure.name !== 'AbortError') head.after(describeFailure(failure));
    }
  }

  function offerPart(place, part, buttons) {
    const heading = place.querySelector(`[data-part="${part}"] h3`);
    const head = element('div', { class: 'part-head' });
    heading.replaceWith(head);
    head.append(heading, element('div', { class: 'buttons' }, buttons));
  }

  return {
    offerPerson(place, shown) {
      person = shown.person;
      const now = () => ({ ...shown, payModifiers });
      const has = person.Skillset.length > 0;
      offerPart(place, 'Tags', [
        rights.addTag && opener('Add a tag', (made, all) => editTags(panel, made, now(), all)),
      ]);
      offerPart(place, 'Skills by day', [
        rights.setSkill && opener('Add or change a skill', (made, all) => editSkills(panel, made, now(), all)),
        rights.removeSkill && has && opener('Remove a skill', (made) => removeSkills(panel, made, now())),
      ]);
      offerPart(place, 'Work', [
        rights.setManager && opener('Change the manager', (made) => editManager(panel, made, now())),
      ]);
    },
    offerPayModifiers(place, shown) {
      payModifiers = shown.payModifiers;
      const now = () => ({ ...shown, person });
      const items = [...place.querySelectorAll('.item')];
      for (const [i, stored] of payModifiers.entries()) {
        const named = element(
          'span',
          { class: 'unseen' },
          ` the pay modifier ${stored.PositionId ?? stored.PayModifierKey}`,
        );
        const open = (act) => (made, all) => act(panel, made, now(), all, stored);
        items[i].append(
          element(
            'p',
            { class: 'buttons' },
            rights.updatePayModifier && opener('Change', open(editPayModifier), named),
            rights.deletePayModifier && opener('Delete', open(deletePayModifier), named.cloneNode(true)),
          ),
        );
      }
      if (!rights.createPayModifier) return;
      const add = opener('Add a pay modifier', (made, all) => editPayModifier(panel, made, now(), all));
      place.prepend(element('div', { class: 'part-head' }, element('div', { class: 'buttons' }, add)));
    },
  };
}

// A closed or reloaded tab must not lose input without a question.
addEventListener('beforeunload', (event) => {
  if (document.querySelector('#person form.changed') !== null) event.preventDefault();
});
