import { weekDays } from '../people-table.js';
import { textOf } from '../person-texts.js';
import { mergeSets } from './compare-versions.js';
import { dayFact, managerFact, payModifierFact, payModifierFacts, skillFacts, tagFact, tagsText } from './facts.js';

/*
 * Each function returns a write: method, path below the person, body, and the facts that it sets, as `factsOf` names them;
 * undefined when nothing would change. A write contains only what the reader has changed, so it also fits a newer version.
 */

/** `from` is a date; empty for today. */
export function tagWrite({ category, name, from }) {
  const body = { category, name, ...(from !== '' && { effectiveDate: from }) };
  return { method: 'POST', path: '/tag', body, sets: new Map([tagFact(category, name, `since ${from || 'today'}`)]) };
}

/** `id` is a StaffId; empty for no manager. */
export function managerWrite({ ManagerId: before }, id) {
  if (id === (before ?? '')) return undefined;
  const body = id === '' ? { IsClearManagerId: true } : { ManagerId: id };
  return { method: 'POST', path: '/manager', body, sets: new Map([managerFact(id || undefined)]) };
}

/**
 * `before` is the skill as the reader saw it, or only the key and name of its task; `days` has whether and how often by
 * day of the week, with an empty text for no frequency.
 */
export function skillWrite(before, days) {
  const isNew = before.IsSkilledMon === undefined;
  const body = {};
  const sets = new Map();
  for (const day of weekDays) {
    const { isSkilled, often } = days[day];
    const [was, wasOften] = [before[`IsSkilled${day}`] ?? false, before[`${day}Occurrence`] ?? null];
    // The form locks the frequency of a day without the skill.
    if (!isSkilled && !was) continue;
    const frequency = isSkilled && often !== '' ? often : null;
    if (isSkilled !== was) body[`IsSkilled${day}`] = isSkilled;
    if (frequency !== wasOften) body[`${day}Occurrence`] = frequency;
    if (isSkilled === was && frequency === wasOften) continue;
    const [id, set] = dayFact(before, day, isSkilled ? (frequency ?? 'yes') : undefined);
    sets.set(id, set);
  }
  // The API requires a member.
  if (isNew && sets.size === 0) {
    body.IsSkilledMon = false;
    sets.set(...dayFact(before, 'no day', 'yes'));
  }
  return sets.size === 0 ? undefined : { method: 'PUT', path: skillPath(before), body, sets };
}

export function skillRemoval(skill) {
  return { method: 'DELETE', path: skillPath(skill), sets: without(skillFacts(skill)) };
}

const skillPath = ({ TaskKey }) => `/skillset/${encodeURIComponent(TaskKey)}`;

/** Members that a pay modifier and its form have in common. */
const plainMembers = ['PositionId', 'IsPrimaryPosition', 'StartDate', 'EndDate', 'IsHistoricAccessLocked'];

/**
 * `before` and `form` are the values of the form, at first and now: the plain members, `LocationTag` and `TaskTag` as
 * category and name or undefined, and the keys of `Tags`. `stored` is the pay modifier in its current version, undefined
 * for a new one; `tags` has all tags by key.
 */
export function payModifierWrite(stored, before, form, tags) {
  const body = {};
  const sets = new Map();
  const subject = stored ?? { PayModifierKey: 'new', PositionId: form.PositionId };
  const set = (member, text) => sets.set(...payModifierFact(subject, member, text ?? undefined));
  const isNew = stored === undefined;
  for (const member of plainMembers) {
    const value = form[member];
    if (isNew ? value === null : value === before[member]) continue;
    body[member] = value;
    set(member, value === null ? null : textOf(value));
  }
  for (const member of ['LocationTag', 'TaskTag']) {
    const [was, is] = [before[member], form[member]];
    if (nameOfPair(was) === nameOfPair(is)) continue;
    body[`${member}Category`] = is?.category ?? null;
    body[`${member}Name`] = is?.name ?? null;
    set(member, nameOfPair(is));
  }
  if (tagsText(before.Tags) !== tagsText(form.Tags)) {
    const now = stored?.PayModifierTagKeys.map(({ TagKey }) => TagKey) ?? [];
    const merged = mergeSets(before.Tags, form.Tags, now);
    // Somebody else may have added a tag that the choices lack.
    const known = withTagsOf(tags, stored);
    body.PayModifierTags = merged.map((key) => ({ CategoryKey: known.get(key).categoryKey, TagKey: key }));
    set('Tags', tagsText(merged.map((key) => nameOfPair(known.get(key)))));
  }
  if (sets.size === 0) return undefined;
  if (isNew) return { method: 'POST', path: '/payModifier', body, sets };
  return { method: 'PUT', path: payModifierPath(stored), body, sets };
}

/** Returns the tags by key, with those of a pay modifier that no person has. */
export function withTagsOf(tags, { PayModifierTagKeys = [] } = {}) {
  const more = PayModifierTagKeys.map(({ CategoryKey, CategoryName, TagKey, TagName }) => [
    TagKey,
    { key: TagKey, name: TagName, category: CategoryName, categoryKey: CategoryKey },
  ]);
  return new Map([...more, ...tags]);
}

const nameOfPair = (pair) => (pair === undefined ? undefined : `${pair.category}: ${pair.name}`);

export function payModifierRemoval(stored, tagNames) {
  return { method: 'DELETE', path: payModifierPath(stored), sets: without(payModifierFacts(stored, tagNames)) };
}

const payModifierPath = ({ PayModifierKey }) => `/payModifier/${encodeURIComponent(PayModifierKey)}`;

/** Returns facts as they are after a removal. */
function without(facts) {
  return new Map(facts.map(([id, { label }]) => [id, { label, text: undefined }]));
}
