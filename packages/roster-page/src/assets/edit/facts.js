import { weekDays } from '../people-table.js';
import { flagsOf, span, textOf } from '../person-texts.js';

/**
 * Returns what a version of a person says, as texts with labels by id: what has no value is missing. `tagNames` has the
 * names of tags by key, for pay modifiers.
 */
export function factsOf({ person = {}, payModifiers = [] }, tagNames = new Map()) {
  const all = [
    ...Object.entries(person).filter(isPlain).map(plainFact),
    ...((person.ManagerId ?? null) === null ? [] : [managerFact(`${person.Manager} (${person.ManagerId})`)]),
    ...[...(person.Tags ?? []), ...(person.TTCMTags ?? [])].flatMap(({ CategoryName, Tags }) =>
      Tags.map((tag) => tagFact(CategoryName, tag.Name, span(tag.EffectiveFromDate, tag.EffectiveToDate))),
    ),
    ...(person.Skillset ?? []).flatMap(skillFacts),
    ...(person.Profiles ?? []).map((one) => fact(`profile ${one.ProfileKey}`, `Profile ${one.Name}`, flagsOf(one))),
    ...(person.BadgeIds ?? []).map(({ BadgeId, BadgeGroup }) =>
      fact(`badge ${BadgeId}`, `Badge ${BadgeId}`, BadgeGroup ?? 'yes'),
    ),
    ...payModifiers.flatMap((one) => payModifierFacts(one, tagNames)),
  ];
  return new Map(all);
}

/** Every write changes the time of the last change, and the manager is one fact. */
const notCompared = ['LastModifiedDateUtc', 'Manager', 'ManagerId'];

const isPlain = ([name, value]) => value !== null && !Array.isArray(value) && !notCompared.includes(name);
const plainFact = ([name, value]) => fact(name, name, textOf(value));

function fact(id, label, text) {
  return [id, { label, text }];
}

export function managerFact(text) {
  return fact('manager', 'Manager', text);
}

export function tagFact(category, name, text) {
  return fact(`tag ${category} ${name}`, `${category}: ${name}`, text);
}

export function dayFact({ TaskKey, TaskName }, day, text) {
  return fact(`skill ${TaskKey} ${day}`, `${TaskName}, ${day}`, text);
}

/** The days of a skill, or that it has none. */
export function skillFacts(skill) {
  const days = weekDays.filter((day) => skill[`IsSkilled${day}`]);
  if (days.length === 0) return [dayFact(skill, 'no day', 'yes')];
  return days.map((day) => dayFact(skill, day, skill[`${day}Occurrence`] ?? 'yes'));
}

export function payModifierFact({ PayModifierKey, PositionId }, member, text) {
  return fact(`payModifier ${PayModifierKey} ${member}`, `Pay modifier ${PositionId ?? ''}: ${member}`, text);
}

export function payModifierFacts(one, tagNames) {
  const { PositionId, IsPrimaryPosition, StartDate, EndDate, IsHistoricAccessLocked } = one;
  const nameOfTag = (key) => (key === null ? null : (tagNames.get(key) ?? `tag ${key}`));
  const values = {
    ...{ PositionId, IsPrimaryPosition, StartDate, EndDate, IsHistoricAccessLocked },
    LocationTag: nameOfTag(one.LocationTagKey),
    TaskTag: nameOfTag(one.TaskTagKey),
    Tags: tagsText(one.PayModifierTagKeys.map(({ CategoryName, TagName }) => `${CategoryName}: ${TagName}`)),
  };
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([member, value]) => payModifierFact(one, member, textOf(value)));
}

/** Returns names of tags as one text, in one order; null for none. */
export function tagsText(names) {
  return names.length === 0 ? null : [...names].sort().join(', ');
}
