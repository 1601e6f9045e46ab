import { operationsOf } from './read-contract.js';

/**
 * The operations of a document in parts that are drawn in a moment: by their first tag, and a large group in several.
 * @returns `{ name, operations }[]`
 */
export function partsOf(contract, sizeMax) {
  const groups = new Map();
  for (const found of operationsOf(contract)) {
    const name = found.operation.tags?.[0] ?? 'Other';
    if (groups.has(name)) groups.get(name).push(found);
    else groups.set(name, [found]);
  }
  return [...groups].flatMap(([name, operations]) => {
    if (operations.length <= sizeMax) return [{ name, operations }];
    const count = Math.ceil(operations.length / sizeMax);
    return Array.from({ length: count }, (_, i) => ({
      name: `${name}, ${i + 1} of ${count}`,
      operations: operations.slice(i * sizeMax, (i + 1) * sizeMax),
    }));
  });
}

/** The document with the operations of one part alone; all else is as it was. */
export function takePart(contract, { operations }) {
  const paths = {};
  for (const { path, method, operation } of operations) {
    const { servers, parameters } = contract.paths[path];
    paths[path] ??= { ...(servers && { servers }), ...(parameters && { parameters }) };
    paths[path][method] = operation;
  }
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  return { ...contract, paths, tags: (contract.tags ?? []).filter(({ name }) => used.has(name)) };
}

/** The part that an address such as `#operation/getThing` or `#tag/things/operation/getThing` names, if any. */
export function partNamed(parts, hash) {
  const [, id] = /operation\/([^/]+)$/.exec(decodeURIComponent(hash)) ?? [];
  if (id === undefined) return undefined;
  return parts.find(({ operations }) => operations.some(({ operation }) => operation.operationId === id));
}

/** Operations in which every word is found, in method, path, summary or tag. */
export function findOperations(contract, words, countMax) {
  const found = [];
  for (const each of operationsOf(contract)) {
    const { summary = '', tags = [] } = each.operation;
    const text = `${each.method} ${each.path} ${summary} ${tags.join(' ')}`.toLowerCase();
    if (words.every((word) => text.includes(word))) found.push(each);
    if (found.length === countMax) break;
  }
  return found;
}
