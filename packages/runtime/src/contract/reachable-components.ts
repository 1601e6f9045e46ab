import { type OpenApiDocument, ownMember } from './openapi.ts';

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The components of a document that some parts of it refer to, directly or through each other. */
export function reachableComponents(document: OpenApiDocument, parts: unknown): Components {
  const found: Record<string, Record<string, unknown>> = Object.create(null);
  const pending: unknown[] = [parts];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (typeof member === 'object') pending.push(member);
      else if (name === '$ref' && typeof member === 'string') pending.push(take(document, member, found));
    }
  }
  return found;
}

/** The component that a reference leads to, or into; undefined when it is there already. */
function take(document: OpenApiDocument, reference: string, found: Record<string, Record<string, unknown>>): unknown {
  const [, root, section, escaped] = reference.split('/');
  if (root !== 'components' || section === undefined || escaped === undefined) return undefined;
  const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
  const component = ownMember(ownMember(document.components, section), name);
  found[section] ??= Object.create(null) as Record<string, unknown>;
  const taken = found[section];
  if (component === undefined || Object.hasOwn(taken, name)) return undefined;
  taken[name] = component;
  return component;
}
