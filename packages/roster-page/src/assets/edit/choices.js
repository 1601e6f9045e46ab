import { currentSession, send } from '../api-session.js';
import { readInUse } from '../catalogue.js';

const choicesOf = new WeakMap();

/**
 * Returns the tags and skills that the reader can choose, once for each session. `isComplete` is whether they are all of
 * the company: a server without catalogues shows only those that somebody has.
 */
export function loadChoices() {
  const session = currentSession();
  if (!choicesOf.has(session)) {
    const choices = readChoices();
    choicesOf.set(session, choices);
    choices.catch(() => choicesOf.delete(session));
  }
  return choicesOf.get(session);
}

async function readChoices() {
  const isComplete = document.getElementById('main').dataset.catalogues !== undefined;
  const { tags, skills } = isComplete ? await readCatalogues() : await readInUse();
  const byName = (a, b) => a.name.localeCompare(b.name);
  const sorted = [...tags].sort((a, b) => a.category.localeCompare(b.category) || byName(a, b));
  return {
    isComplete,
    categories: [...new Set(sorted.map(({ category }) => category))],
    tags: new Map(sorted.map((tag) => [tag.key, tag])),
    skills: [...skills].sort(byName),
  };
}

async function readCatalogues() {
  const read = async (name) => (await send(`admin/${name}`)).body;
  const [categories, tags, tasks] = await Promise.all(['tag-categories', 'tags', 'tasks'].map(read));
  const keys = new Map(categories.map(({ CategoryName, CategoryKey }) => [CategoryName, CategoryKey]));
  return {
    tags: tags.map(({ CategoryName: category, TagName: name, TagKey: key }) => {
      return { category, categoryKey: keys.get(category), name, key };
    }),
    skills: tasks.map(({ TaskKey: key, TaskName: name }) => ({ key, name })),
  };
}

/** Returns the names of tags by key, as category and name. */
export function tagNamesOf({ tags }) {
  return new Map([...tags].map(([key, { category, name }]) => [key, `${category}: ${name}`]));
}
