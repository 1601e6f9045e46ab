import { runSteps, type Steps } from '@rostergate/runtime/steps';
import type { OpenApiFragment } from './endpoints-to-openapi.ts';

/** As much of an OpenAPI document as merging looks at. */
export interface MergeableDocument {
  readonly paths: object;
  readonly components?: object;
  readonly tags?: readonly { readonly name: string }[];
}

/**
 * The built-in document with the fragment's paths, components and tags behind its own. Neither is changed; nothing is
 * copied below the members that both have. Throws when both define the same path or component.
 */
export function mergeDocuments<D extends MergeableDocument>(builtIn: D, fragment: OpenApiFragment): D {
  return runSteps(mergeDocumentsSteps(builtIn, fragment));
}

/** The same, member by member. */
export function* mergeDocumentsSteps<D extends MergeableDocument>(builtIn: D, fragment: OpenApiFragment): Steps<D> {
  const components: Record<string, object> = { ...builtIn.components };
  for (const [section, added] of Object.entries(fragment.components)) {
    components[section] = yield* join(`component of ${section}`, components[section] ?? {}, added);
  }
  const tags = builtIn.tags ?? [];
  const known = new Set(tags.map((tag) => tag.name));
  return Object.freeze({
    ...builtIn,
    tags: [...tags, ...fragment.tags.filter((tag) => !known.has(tag.name))],
    paths: yield* join('path', builtIn.paths, fragment.paths),
    components,
  });
}

function* join(what: string, own: object, added: Readonly<Record<string, unknown>>): Steps<object> {
  const joined: Record<string, unknown> = { ...own };
  for (const name of Object.keys(added)) {
    yield;
    if (Object.hasOwn(own, name)) throw new Error(`The ${what} "${name}" is built in already: choose another name.`);
    joined[name] = added[name];
  }
  return joined;
}
