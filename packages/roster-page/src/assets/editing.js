import { element } from '../../../pages/src/assets/dom.js';
import { currentSession, send } from './api-session.js';
import { createEditing } from './edit/create-editing.js';

/** The writes that the panel offers: method, and path below a person. The server looks up no key for OPTIONS. */
const writes = {
  addTag: ['POST', '/tag'],
  setManager: ['POST', '/manager'],
  setSkill: ['PUT', '/skillset/any'],
  removeSkill: ['DELETE', '/skillset/any'],
  createPayModifier: ['POST', '/payModifier'],
  updatePayModifier: ['PUT', '/payModifier/any'],
  deletePayModifier: ['DELETE', '/payModifier/any'],
};

const rightsOf = new WeakMap();

/** Returns which writes the server allows to this session: it lists the methods of a path that the caller may use. */
function readRights(staffKey) {
  const session = currentSession();
  if (!rightsOf.has(session)) {
    const rights = askRights(`staffmember/${encodeURIComponent(staffKey)}`);
    rightsOf.set(session, rights);
    rights.catch(() => rightsOf.delete(session));
  }
  return rightsOf.get(session);
}

async function askRights(base) {
  const paths = [...new Set(Object.values(writes).map(([, path]) => path))];
  const asked = paths.map(async (path) => {
    const { allow } = await send(base + path, { method: 'OPTIONS' });
    return [path, allow?.split(', ') ?? []];
  });
  const allowed = new Map(await Promise.all(asked));
  return Object.fromEntries(
    Object.entries(writes).map(([name, [method, path]]) => [name, allowed.get(path).includes(method)]),
  );
}

/**
 * Returns what edits a person, for an account that may write; undefined for other accounts, and when the server does not
 * say. Without it the panel only shows the person.
 */
export async function loadEditing(staffKey, panel) {
  try {
    const rights = await readRights(staffKey);
    if (!Object.values(rights).includes(true)) return undefined;
    await loadStyles();
    return createEditing({ ...panel, rights });
  } catch {
    return undefined;
  }
}

let styles;
/** The files of the page are next to its scripts. */
function loadStyles() {
  styles ??= new Promise((resolve, reject) => {
    const link = element('link', { rel: 'stylesheet', href: new URL('roster-edit.css', import.meta.url).href });
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      styles = undefined;
      reject(new Error('The style sheet could not be loaded.'));
    });
    document.head.append(link);
  });
  return styles;
}
