import { readPeople } from './api-session.js';
import { odataText } from './roster-query.js';

/** Limits the requests for companies with very many tags and skills. */
const roundsMax = 8;

/** Returns the names of tags by category, and of skills, that people have: the choices of the filter. */
export async function loadCatalogue() {
  const { tags, skills } = await readInUse();
  return { tags: groupTags(tags), skills: [...new Set(skills.map(({ name }) => name))].sort(byText) };
}

/**
 * Returns the tags and skills of all people. The staff contract has no list of them, so this repeatedly reads people with
 * others than the known ones: two or three requests for any number of people.
 */
export async function readInUse() {
  const tags = new Map();
  const skills = new Map();
  for (let round = 0; round < roundsMax; round++) {
    const { body } = await readIfAllowed([
      ['$filter', round === 0 ? 'Tags/any() or Skillset/any()' : othersThan([...tags.keys()], [...skills.keys()])],
      ['$select', 'StaffKey'],
      ['$expand', 'Tags,Skillset($select=TaskKey,TaskName)'],
      ['$top', '100'],
      ['$count', 'true'],
    ]);
    for (const { Tags, Skillset } of body.value) {
      for (const { CategoryKey: categoryKey, CategoryName: category, Tags: within } of Tags) {
        for (const { Key: key, Name: name } of within) tags.set(key, { category, categoryKey, name, key });
      }
      for (const { TaskKey: key, TaskName: name } of Skillset) skills.set(key, { key, name });
    }
    if (body['@odata.count'] <= body.value.length) break;
  }
  return { tags: [...tags.values()], skills: [...skills.values()] };
}

/** Returns an empty page for a 403: a server may reject a filter on parts that the account cannot see. */
async function readIfAllowed(options) {
  try {
    return await readPeople(options);
  } catch (failure) {
    if (failure.status !== 403) throw failure;
    return { body: { value: [], '@odata.count': 0 } };
  }
}

function othersThan(tagKeys, taskKeys) {
  const others = (name, keys) => (keys.length === 0 ? `${name} ne null` : `not (${name} in (${keys.join(',')}))`);
  return `Tags/any(c:c/Tags/any(t:${others('t/Key', tagKeys)})) or Skillset/any(s:${others('s/TaskKey', taskKeys.map(odataText))})`;
}

function groupTags(all) {
  const groups = new Map();
  for (const { category, name } of all) groups.set(category, (groups.get(category) ?? new Set()).add(name));
  return [...groups].sort(([a], [b]) => byText(a, b)).map(([category, names]) => [category, [...names].sort(byText)]);
}

const byText = (a, b) => a.localeCompare(b);
