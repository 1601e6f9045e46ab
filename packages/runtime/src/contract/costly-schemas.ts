import { analyzePattern, isLinear } from '../pattern/index.ts';
import { createBoundedSchemas, schemasIn, workKeyword } from './bounded-schemas.ts';
import { httpMethods, type OpenApiDocument } from './openapi.ts';
import { reachableComponents } from './reachable-components.ts';
import { findRepeatedReferences } from './repeated-references.ts';

const listedMax = 20;

/**
 * Returns, for schemas that requests are checked against and that may be costly to check, the place and the remedy. Such
 * checks end in bounded time, so that values which the schema allows may be rejected.
 */
export function findCostlySchemas(document: Pick<OpenApiDocument, 'paths' | 'components'>): string[] {
  const whole = { openapi: '3.0.3', info: { title: '', version: '' }, ...document };
  const requests = requestParts(document.paths);
  const components = reachableComponents(whole, Object.values(requests));
  const bounded = createBoundedSchemas(components).components.schemas ?? {};
  const nested = Object.entries(bounded).filter(([, root]) => [...schemasIn(root)].some((s) => workKeyword in s));
  const found = [
    ...nested.map(
      ([name]) =>
        `#/components/schemas/${name} has alternatives within alternatives: tell them apart by a discriminator, or by a required property that has another constant in each.`,
    ),
    ...findRepeatedReferences(components.schemas ?? {}).map(
      (name) =>
        `#/components/schemas/${name} leads back to itself more than once from the same member, through allOf or overlapping properties: declare the member in one place.`,
    ),
    ...findInside(components, '#/components'),
    ...Object.entries(requests).flatMap(([place, part]) => findInside(part, place)),
  ];
  return found.length <= listedMax
    ? found
    : [...found.slice(0, listedMax), `${found.length - listedMax} more schemas may be costly to check.`];
}

/** What requests hold, by its place. */
function requestParts(paths: OpenApiDocument['paths']): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const [path, item] of Object.entries(paths)) {
    if (item?.parameters !== undefined) parts[path] = { parameters: item.parameters };
    for (const method of httpMethods) {
      const operation = item?.[method];
      if (operation === undefined) continue;
      const { parameters, requestBody } = operation;
      parts[`${method.toUpperCase()} ${path}`] = { parameters, requestBody };
    }
  }
  return parts;
}

/** Members that hold values, whatever words are in them. */
const valueMembers = new Set(['example', 'examples', 'default', 'enum', 'const']);

function findInside(root: unknown, place: string): string[] {
  const found: string[] = [];
  const pending: { readonly value: unknown; readonly at: string }[] = [{ value: root, at: place }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, at } = next;
    if (typeof value !== 'object' || value === null) continue;
    const remedy = remedyFor(value as Readonly<Record<string, unknown>>);
    if (remedy !== undefined) found.push(`${at} ${remedy}`);
    for (const [name, member] of Object.entries(value).reverse()) {
      if (typeof member !== 'object' || valueMembers.has(name)) continue;
      pending.push({ value: member, at: `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` });
    }
  }
  return found;
}

function remedyFor({ pattern, maxLength, uniqueItems, maxItems, items }: Readonly<Record<string, unknown>>) {
  if (typeof pattern === 'string' && maxLength === undefined && isCostly(pattern)) {
    return `has the pattern ${pattern}, which may take long: give it a maxLength, or a pattern without repetitions of repetitions and without look-around.`;
  }
  if (uniqueItems === true && maxItems === undefined && !isScalar(items)) {
    return 'has uniqueItems for items of any size: give it maxItems.';
  }
  return undefined;
}

function isCostly(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return false;
  }
  const shape = analyzePattern(pattern);
  return !isLinear(shape) && (shape.isNested || (shape.re2 === undefined && shape.power > 1));
}

function isScalar(items: unknown): boolean {
  const { type } = (items ?? {}) as { type?: unknown };
  return typeof type === 'string' && type !== 'object' && type !== 'array';
}
