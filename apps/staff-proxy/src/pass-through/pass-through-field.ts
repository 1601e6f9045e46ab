import { createDeclaredPaths, type EndpointPath, parseEndpointPath, pathsOverlap } from '@rostergate/server';
import { proxyDocument } from '@rostergate/staff-spec';
import { z } from 'zod';

const entrySchema = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9-]*$/, 'Write lower-case letters, digits and -, beginning with a letter.')
    .describe('Name of the entry. A key must list it in `pass_through`.'),
  path: z
    .string()
    .max(1_024)
    .describe(
      'Path below `/v2/`, the same for callers and the upstream. `{name}` is one segment, and `{name*}` at the end is one or more.',
    ),
  methods: z
    .array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
    .min(1)
    .describe('Methods to forward. `GET` includes `HEAD`.'),
});

/** The setting `pass_through` of the proxy. */
export const passThroughField = z
  .array(entrySchema)
  .max(256)
  .default([])
  .describe(
    'Paths of the upstream beyond the contract. Requests to them are forwarded unvalidated, for keys that list the name of the entry. The proxy cannot limit them to the company of the key: the account decides what they read and change.',
  );

export type PassThroughEntry = z.output<typeof entrySchema>;

const checkedFields = z.object({ pass_through: passThroughField });

/** Adds an issue for each fault of `pass_through` that involves several fields, for `superRefine`. */
export function checkPassThroughSettings(
  settings: unknown,
  context: z.RefinementCtx<{ pass_through?: unknown }>,
): void {
  // The rule also runs for invalid settings, whose own faults are reported already.
  const entries = checkedFields.safeParse(settings).data?.pass_through ?? [];
  for (const [i, entry] of entries.entries()) {
    const fault = findNameFault(entry, entries.slice(0, i)) ?? findPathFault(entry, entries.slice(0, i));
    if (fault === undefined) continue;
    const [field, message] = fault;
    context.addIssue({ code: 'custom', path: ['pass_through', i, field], message, input: settings });
  }
}

/** A field of an entry, and what is wrong with it. */
type EntryFault = readonly [field: 'name' | 'path' | 'methods', message: string];

function findNameFault({ name }: PassThroughEntry, before: readonly PassThroughEntry[]): EntryFault | undefined {
  const other = before.findIndex((one) => one.name === name);
  return other < 0 ? undefined : ['name', `It repeats the name of pass_through[${other}]: choose another one.`];
}

function findPathFault(entry: PassThroughEntry, before: readonly PassThroughEntry[]): EntryFault | undefined {
  const { path, methods } = entry;
  const parsed = parseEndpointPath(path);
  if (typeof parsed === 'string') return ['path', `It ${parsed}.`];
  if (!path.startsWith('/v2/')) return ['path', 'It must begin with /v2/, as the paths of the upstream do.'];
  const compared = comparable(path);
  const own = contractPaths().find((one) => pathsOverlap(compared, one.compared));
  if (own !== undefined) {
    return ['path', `It overlaps ${own.path} of the contract, whose requests are validated: write a path beside it.`];
  }
  for (const [i, other] of before.entries()) {
    const named = typeof parseEndpointPath(other.path) === 'string' ? undefined : comparable(other.path);
    if (named === undefined || !pathsOverlap(compared, named)) continue;
    if (other.path !== path) {
      return ['path', `It overlaps ${other.path} of pass_through[${i}]: a request must match one entry only.`];
    }
    const repeated = methods.find((method) => other.methods.includes(method));
    if (repeated !== undefined) return ['methods', `pass_through[${i}] has ${repeated} ${path} already: remove one.`];
  }
  return undefined;
}

/** Parses a valid path for a comparison that ignores case, as some upstreams do. */
function comparable(path: string): EndpointPath {
  return parseEndpointPath(path.toLowerCase()) as EndpointPath;
}

/** The paths of the contract. Computed for the first entry. */
function contractPaths(): readonly { readonly path: string; readonly compared: EndpointPath }[] {
  knownPaths ??= createDeclaredPaths(proxyDocument).flatMap(({ path }) => {
    const compared = parseEndpointPath(path.toLowerCase());
    return typeof compared === 'string' ? [] : [{ path, compared }];
  });
  return knownPaths;
}

let knownPaths: ReturnType<typeof contractPaths> | undefined;
