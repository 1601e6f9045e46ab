import { createHash } from 'node:crypto';
import { defineService, type Service, z } from '@rostergate/endpoints';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configure } from '../../test/start-gateway.ts';
import { describeBuiltInServices } from '../services/index.ts';
import type { Configuration } from '../sources/read-sources.ts';
import { diffConfigurations } from './diff-configurations.ts';
import type { ChangeKind } from './rules.ts';

/** The requests and responses of an endpoint, described by a service or an imported contract. */
interface Content {
  readonly query: 'required' | 'optional';
  readonly lengthMax: 5 | 10 | undefined;
  readonly extra: 'none' | 'optional' | 'required';
  readonly bodyName: 'required' | 'optional';
  readonly note: 'none' | 'optional' | 'required';
  readonly states: 1 | 2 | 3;
  /** How a contract declares the 403 of its upstream. */
  readonly forbidden: 'never' | 'json' | 'problem' | 'range';
}

interface Model {
  readonly source: 'service' | 'contract' | 'http';
  readonly method: 'GET' | 'DELETE' | 'POST' | 'PUT';
  readonly enabled: boolean;
  readonly access: 'public' | 'key' | 'scope' | 'scopes';
  readonly limit: number | undefined;
  readonly cacheSeconds: number;
  readonly summary: string;
  readonly target: string;
  readonly timeoutMs: number;
  readonly content: Content;
}

interface Whole {
  readonly endpoints: readonly Model[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

type Expected = readonly [kind: ChangeKind, operation: string, part: string];

/** A change of one thing. */
interface Edit<T> {
  readonly name: string;
  /** The changed thing: edits of the same thing are not combined. */
  readonly thing: string;
  readonly apply: (before: T) => { readonly next: T; readonly expected: readonly RatedPart[] } | undefined;
}
/** A change of the endpoint under its old name, unless a method is given. */
type RatedPart = readonly [kind: ChangeKind, part: string, method?: Model['method']];

const listed = ['open', 'done', 'gone'];

function serviceOf({ content, method }: Model, i: number): Service {
  const text = content.lengthMax === undefined ? z.string() : z.string().max(content.lengthMax);
  const has = (presence: string, schema: z.ZodType) => (presence === 'required' ? schema : schema.optional());
  const body = z.object({ name: has(content.bodyName, z.string()) });
  return defineService({
    name: `service-${i}`,
    summary: 'A service',
    parameters: z.object({
      q: has(content.query, text),
      ...(content.extra === 'none' ? {} : { extra: has(content.extra, z.string()) }),
    }),
    ...(hasBody(method) ? { body } : {}),
    response: z.object({
      state: z.enum(listed.slice(0, content.states)),
      ...(content.note === 'none' ? {} : { note: has(content.note, z.string()) }),
    }),
    handle: () => ({ state: 'open' }) as never,
  } as Parameters<typeof defineService>[0]) as unknown as Service;
}

function contractOf({ content, method }: Model, i: number): string {
  const requiredOf = (name: string, presence: string) => (presence === 'required' ? [name] : []);
  const text = { type: 'string', ...(content.lengthMax === undefined ? {} : { maxLength: content.lengthMax }) };
  const parameter = (name: string, presence: string, schema: object) => ({
    ...{ name, in: 'query', required: presence === 'required', schema },
  });
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const operation = {
    operationId: 'call',
    parameters: [
      parameter('q', content.query, text),
      ...(content.extra === 'none' ? [] : [parameter('extra', content.extra, { type: 'string' })]),
    ],
    ...(hasBody(method) && {
      requestBody: {
        required: true,
        ...json({
          type: 'object',
          required: requiredOf('name', content.bodyName),
          properties: { name: { type: 'string' } },
        }),
      },
    }),
    responses: {
      200: {
        description: 'Yes.',
        ...json({
          type: 'object',
          required: ['state', ...requiredOf('note', content.note)],
          properties: {
            state: { type: 'string', enum: listed.slice(0, content.states) },
            ...(content.note === 'none' ? {} : { note: { type: 'string' } }),
          },
        }),
      },
      ...forbidden[content.forbidden],
    },
  };
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { [`/e${i}`]: { [method.toLowerCase()]: operation } },
  });
}

const reason = { type: 'object', properties: { reason: { type: 'string' } } };
const answer = (type: string) => ({ description: 'No.', content: { [type]: { schema: reason } } });
const forbidden = {
  never: {},
  json: { 403: answer('application/json') },
  problem: { 403: answer('application/problem+json') },
  range: { '4XX': answer('application/json') },
} as const;

const hasBody = (method: Model['method']) => method === 'POST' || method === 'PUT';
const scopesOf = { public: [], key: [], scope: ['a'], scopes: ['a', 'b'] } as const;

function entryOf(model: Model, i: number): object {
  const isHttp = model.source !== 'service';
  return {
    path: `/e${i}`,
    method: model.method,
    service: isHttp ? 'http' : `service-${i}`,
    enabled: model.enabled,
    requires_auth: model.access !== 'public',
    scopes: scopesOf[model.access],
    summary: model.summary,
    ...(model.limit === undefined ? {} : { rate_limit_per_minute: model.limit }),
    ...(model.method === 'GET' ? { cache_seconds: model.cacheSeconds } : {}),
    ...(isHttp ? { upstream: { targets: [model.target], timeout_ms: model.timeoutMs } } : {}),
    ...(model.source === 'contract' ? { contract: { document: `c${i}.json`, operation_id: 'call' } } : {}),
  };
}

async function load({ endpoints, settings, keys }: Whole): Promise<Configuration> {
  const configuration = await configure({
    settings: { rate_limit_enabled: true, ...settings },
    endpoints: endpoints.map(entryOf),
    services: [...describeBuiltInServices(), ...endpoints.map(serviceOf)],
    files: Object.fromEntries(endpoints.map((model, i) => [`c${i}.json`, contractOf(model, i)])),
  });
  const records = Object.entries(keys).map(([name, scopes]) => ({
    ...{ name, owner: name, scopes, sha256: createHash('sha256').update(name).digest('hex') },
  }));
  return { ...configuration, keys: records };
}

/** Returns the edit that sets a member from one value to another. */
function step<K extends keyof Model>(
  member: K,
  from: Model[K],
  to: Model[K],
  expected: readonly RatedPart[],
  when: (model: Model) => boolean = () => true,
): Edit<Model> {
  return {
    name: `${member}: ${String(from)} to ${String(to)}`,
    thing: member,
    apply: (model) =>
      model[member] === from && when(model) ? { next: { ...model, [member]: to }, expected } : undefined,
  };
}

function stepIn<K extends keyof Content>(
  member: K,
  from: Content[K],
  to: Content[K],
  expected: readonly RatedPart[],
  when: (model: Model) => boolean = () => true,
): Edit<Model> {
  return {
    name: `${member}: ${String(from)} to ${String(to)}`,
    thing: member,
    apply: (model) =>
      model.source !== 'http' && model.content[member] === from && when(model)
        ? { next: { ...model, content: { ...model.content, [member]: to } }, expected }
        : undefined,
  };
}

const isCached = ({ method }: Model) => method === 'GET';
const isForwarded = ({ source }: Model) => source !== 'service';
const takesBody = ({ method }: Model) => hasBody(method);
/** Whether the gateway's 403 is new to callers, who may get a 403 of the upstream already. */
const isFirst403 = ({ source, content }: Model) =>
  source === 'service' || (source === 'contract' && content.forbidden === 'never');
const isOther403 = ({ source, content }: Model) => source === 'contract' && content.forbidden === 'problem';
const isKnown403 = (model: Model) => !isFirst403(model) && !isOther403(model);

const breaking: RatedPart = ['breaking', ''];
const relaxation: RatedPart = ['relaxation', ''];
const noted = (part: string): RatedPart => ['note', part];

/** Each edit with its known rating. */
const edits: readonly Edit<Model>[] = [
  step('access', 'public', 'key', [breaking]),
  step('access', 'key', 'public', [relaxation]),
  step('access', 'key', 'scope', [breaking, noted('answer 403')], isFirst403),
  step('access', 'key', 'scope', [breaking, noted('answer 403')], isOther403),
  step('access', 'key', 'scope', [breaking], isKnown403),
  step('access', 'scope', 'scopes', [breaking]),
  step('access', 'scopes', 'scope', [relaxation]),
  step('access', 'scope', 'key', [relaxation, noted('answer 403')], isFirst403),
  step('access', 'scope', 'key', [relaxation, ['relaxation', 'answer 403']], isOther403),
  step('access', 'scope', 'key', [relaxation], isKnown403),
  step('method', 'GET', 'DELETE', [breaking, ['addition', '', 'DELETE']]),
  step('method', 'POST', 'PUT', [breaking, ['addition', '', 'PUT']]),
  step('enabled', true, false, [['breaking', '']]),
  step('enabled', false, true, [['addition', '']]),
  step('limit', undefined, 10, [['policy', '']]),
  step('limit', 10, undefined, [['relaxation', '']]),
  step('limit', 10, 5, [['policy', '']]),
  step('limit', 5, 10, [['relaxation', '']]),
  step('cacheSeconds', 0, 60, [noted(''), noted('answer 304')], (model) => isCached(model) && model.source !== 'http'),
  step('cacheSeconds', 60, 0, [noted(''), noted('answer 304')], (model) => isCached(model) && model.source !== 'http'),
  step('cacheSeconds', 60, 30, [['note', '']], isCached),
  step('summary', 'One', 'Another', []),
  step('timeoutMs', 1_000, 2_000, [], isForwarded),
  step('target', 'http://a.test', 'http://b.test', [['note', '']], isForwarded),
  stepIn('query', 'optional', 'required', [['breaking', 'query q']]),
  stepIn('query', 'required', 'optional', [['relaxation', 'query q']]),
  stepIn('lengthMax', undefined, 10, [['breaking', 'query q']]),
  stepIn('lengthMax', 10, 5, [['breaking', 'query q']]),
  stepIn('lengthMax', 5, 10, [['relaxation', 'query q']]),
  stepIn('lengthMax', 10, undefined, [['relaxation', 'query q']]),
  stepIn('extra', 'none', 'optional', [['addition', 'query extra']]),
  stepIn('extra', 'none', 'required', [['breaking', 'query extra']]),
  stepIn('extra', 'optional', 'none', [['breaking', 'query extra']]),
  stepIn('bodyName', 'optional', 'required', [['breaking', 'body /name']], takesBody),
  stepIn('bodyName', 'required', 'optional', [['relaxation', 'body /name']], takesBody),
  stepIn('note', 'none', 'optional', [['addition', 'answer 200 /note']]),
  stepIn('note', 'optional', 'required', [['relaxation', 'answer 200 /note']]),
  stepIn('note', 'required', 'optional', [['breaking', 'answer 200 /note']]),
  stepIn('note', 'optional', 'none', [['breaking', 'answer 200 /note']]),
  stepIn('states', 1, 3, [['note', 'answer 200 /state']]),
  stepIn('states', 3, 2, [['relaxation', 'answer 200 /state']]),
];

const setting = (name: string, from: unknown, to: unknown, expected: readonly RatedPart[]): Edit<Whole> => ({
  name: `${name}: ${from} to ${to}`,
  thing: name,
  apply: (whole) =>
    whole.settings[name] === from
      ? { next: { ...whole, settings: { ...whole.settings, [name]: to } }, expected }
      : undefined,
});
const key = (
  name: string,
  thing: string,
  to: readonly string[] | undefined,
  expected: readonly RatedPart[],
): Edit<Whole> => ({
  name: `key ${name}: ${to}`,
  thing: `key ${thing}`,
  apply(whole) {
    const { [name]: _, ...others } = whole.keys;
    return { next: { ...whole, keys: to === undefined ? others : { ...others, [name]: to } }, expected };
  },
});

const wholeEdits: readonly Edit<Whole>[] = [
  setting('rate_limit_per_minute', 60, 30, [['policy', 'rate_limit_per_minute']]),
  setting('rate_limit_per_minute', 60, 90, [['relaxation', 'rate_limit_per_minute']]),
  setting('body_bytes_max', 2_000, 1_000, [['policy', 'body_bytes_max']]),
  setting('port', 8000, 8001, [['note', 'port']]),
  setting('log_level', 'info', 'error', []),
  key('new', 'added', ['a'], [['relaxation', '']]),
  key('ops', 'removed', undefined, [['policy', '']]),
  key('desk', 'scopes', ['a'], [['policy', '']]),
  key('desk', 'scopes', ['a', 'b', 'c'], [['relaxation', '']]),
];

const content: fc.Arbitrary<Content> = fc.record({
  query: fc.constantFrom('required', 'optional'),
  lengthMax: fc.constantFrom(5, 10, undefined),
  extra: fc.constantFrom('none', 'optional', 'required'),
  bodyName: fc.constantFrom('required', 'optional'),
  note: fc.constantFrom('none', 'optional', 'required'),
  states: fc.constantFrom(1, 2, 3),
  forbidden: fc.constantFrom('never', 'json', 'problem', 'range'),
});
const model: fc.Arbitrary<Model> = fc.record({
  source: fc.constantFrom('service', 'contract', 'http'),
  method: fc.constantFrom('GET', 'DELETE', 'POST', 'PUT'),
  enabled: fc.constantFrom(true, true, true, false),
  access: fc.constantFrom('public', 'key', 'scope', 'scopes'),
  limit: fc.constantFrom(undefined, 5, 10),
  cacheSeconds: fc.constantFrom(0, 60),
  summary: fc.constant('One'),
  target: fc.constant('http://a.test'),
  timeoutMs: fc.constant(1_000),
  content,
});
const whole: fc.Arbitrary<Whole> = fc.record({
  endpoints: fc.array(model, { minLength: 1, maxLength: 4 }),
  settings: fc.constant({ rate_limit_per_minute: 60, body_bytes_max: 2_000, port: 8000, log_level: 'info' }),
  keys: fc.constant({ ops: ['a'], desk: ['a', 'b'] }),
});

/** Numbers that choose an applicable edit, of an endpoint or of the whole configuration. */
const choice = fc.tuple(fc.boolean(), fc.nat(), fc.nat());

function applyAll(before: Whole, choices: readonly (readonly [boolean, number, number])[]) {
  let next = before;
  const expected: Expected[] = [];
  const things = new Set<string>();
  for (const [isOfWhole, where, which] of choices) {
    const i = where % before.endpoints.length;
    const own = isOfWhole
      ? wholeEdits.map((edit) => ({ thing: edit.thing, made: edit.apply(next), at: '' }))
      : edits.map((edit) => editEndpoint(next, i, edit));
    const fitting = own.filter(({ thing, made }) => made !== undefined && !things.has(thing));
    const chosen = fitting[which % fitting.length];
    if (chosen?.made === undefined) continue;
    const { enabled } = next.endpoints[i] as Model;
    const isSwitched = [...things, chosen.thing].some((thing) => thing === `${i} enabled` || thing === `${i} method`);
    // An added or removed endpoint reports no other changes.
    if (!isOfWhole && isSwitched && [...things].some((thing) => thing.startsWith(`${i} `))) continue;
    things.add(chosen.thing);
    next = chosen.made.next;
    if (!isOfWhole && !enabled && chosen.thing !== `${i} enabled`) continue;
    for (const [kind, part, method] of chosen.made.expected)
      expected.push([kind, operationOf(chosen.at, method), part]);
  }
  return { next, expected };
}

const operationOf = (at: string, method: string | undefined) =>
  method === undefined ? at : at.replace(/^\w+/, method);

function editEndpoint(before: Whole, i: number, edit: Edit<Model>) {
  const one = before.endpoints[i] as Model;
  const made = edit.apply(one);
  return {
    thing: `${i} ${edit.thing}`,
    at: `${one.method} /e${i}`,
    made: made && {
      expected: made.expected,
      next: { ...before, endpoints: before.endpoints.map((each, at) => (at === i ? made.next : each)) },
    },
  };
}

const textOf = (changes: readonly Expected[]) => [...new Set(changes.map((change) => change.join(' | ')))].sort();

async function expectRated(before: Whole, next: Whole, expected: readonly Expected[]): Promise<void> {
  const { changes } = diffConfigurations(await load(before), await load(next));
  expect(textOf(changes.map(({ kind, operation, part }) => [kind, operation, part]))).toEqual(textOf(expected));
}

describe('diff of configurations whose changes have a known rating', () => {
  const plain: Model = {
    ...{ source: 'service', method: 'POST', enabled: true, access: 'key', limit: undefined, cacheSeconds: 0 },
    ...{ summary: 'One', target: 'http://a.test', timeoutMs: 1_000 },
    content: {
      query: 'optional',
      lengthMax: undefined,
      extra: 'none',
      bodyName: 'optional',
      note: 'none',
      states: 1,
      forbidden: 'never',
    },
  };

  it('rates each edit alone, on every applicable kind of endpoint', async () => {
    const values = {
      access: ['public', 'key', 'scope', 'scopes'],
      ...{ enabled: [true, false], limit: [undefined, 5, 10], cacheSeconds: [0, 60] },
    } as const;
    const contents = {
      ...{ query: ['required', 'optional'], lengthMax: [5, 10, undefined], extra: ['none', 'optional'] },
      ...{ bodyName: ['required', 'optional'], note: ['none', 'optional', 'required'] },
      ...{ states: [1, 2, 3], forbidden: ['json', 'problem', 'range'] },
    } as const;
    let count = 0;
    for (const source of ['service', 'contract', 'http'] as const) {
      for (const method of ['GET', 'POST'] as const) {
        const base: Model = { ...plain, source, method };
        const scoped: Model = { ...base, access: 'scope' };
        const models = [
          base,
          ...contents.forbidden.map((value) => ({ ...scoped, content: { ...base.content, forbidden: value } })),
          ...Object.entries(values).flatMap(([name, list]) => list.map((value) => ({ ...base, [name]: value }))),
          ...Object.entries(contents).flatMap(([name, list]) =>
            list.map((value) => ({ ...base, content: { ...base.content, [name]: value } })),
          ),
        ] as readonly Model[];
        const tried = new Set<Edit<Model>>();
        for (const one of models) {
          for (const edit of edits) {
            const made = tried.has(edit) || (!one.enabled && edit.thing !== 'enabled') ? undefined : edit.apply(one);
            if (made === undefined) continue;
            tried.add(edit);
            count++;
            const expected = made.expected.map(
              ([kind, part, to]): Expected => [kind, operationOf(`${method} /e0`, to), part],
            );
            const rest = { settings: {}, keys: {} };
            await expectRated({ ...rest, endpoints: [one] }, { ...rest, endpoints: [made.next] }, expected);
          }
        }
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it('rates combined edits and reports the part of each: 200 pairs', async () => {
    await fc.assert(
      fc.asyncProperty(whole, fc.array(choice, { maxLength: 8 }), async (before, choices) => {
        const { next, expected } = applyAll(before, choices);
        await expectRated(before, next, expected);
      }),
      { numRuns: 200 },
    );
  });
});
