import { operationsOf } from './contract-page.js';

/**
 * Splits the operations of a document into parts that render quickly: by first tag, and a large group into several.
 * @returns `{ name, tag, operations }[]`
 */
export function partsOf(contract, sizeMax) {
  const groups = new Map();
  for (const found of operationsOf(contract)) {
    const name = found.operation.tags?.[0] ?? 'Other';
    if (groups.has(name)) groups.get(name).push(found);
    else groups.set(name, [found]);
  }
  return [...groups].flatMap(([name, operations]) => {
    if (operations.length <= sizeMax) return [{ name, tag: name, operations }];
    const count = Math.ceil(operations.length / sizeMax);
    return Array.from({ length: count }, (_, i) => ({
      name: `${name}, ${i + 1} of ${count}`,
      tag: name,
      operations: operations.slice(i * sizeMax, (i + 1) * sizeMax),
    }));
  });
}

/** Returns the document with the operations of one part only. */
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

/** Returns the part that a fragment such as `#operation/getThing` or `#tag/things` names, if any. */
export function partNamed(parts, hash) {
  const [, tag, id] = /^#(?:tag\/([^/]+))?\/?(?:operation\/([^/]+))?/.exec(decodeURIComponent(hash)) ?? [];
  const has = ({ operations }) => operations.some(({ operation }) => operation.operationId === id);
  if (id !== undefined) return parts.find(has);
  return tag && parts.find((part) => slugOf(part.tag) === slugOf(tag));
}

/** Returns a tag as ReDoc writes it into addresses. */
function slugOf(tag) {
  return tag.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
}

/** Returns operations that match every word in method, path, summary or tag. */
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
