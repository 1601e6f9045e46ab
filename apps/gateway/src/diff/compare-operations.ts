import { minus, type Note } from './change.ts';
import { type Comparison, compareResponses, noteSchemas, withoutScopeResponse } from './compare-responses.ts';
import { type Access, contentOf, mediaFor, type ReadOperation, type ReadParameter } from './operations.ts';

export function compareOperations(old: ReadOperation, next: ReadOperation, comparison: Comparison, note: Note): void {
  if (old.operationId !== next.operationId) {
    note(
      'operation-id-changed',
      '',
      `the operationId ${old.operationId || 'none'} became ${next.operationId || 'none'}: generated clients rename the method`,
    );
  }
  compareFlag(old.operation.deprecated === true, next.operation.deprecated === true, (isNow) =>
    note(
      isNow ? 'operation-deprecated' : 'operation-restored',
      '',
      isNow ? 'is deprecated now' : 'is no longer deprecated',
    ),
  );
  compareFlag(old.operation['x-websocket'] === true, next.operation['x-websocket'] === true, (isNow) =>
    note('protocol-changed', '', isNow ? 'takes WebSockets only' : 'no longer takes WebSockets'),
  );
  compareAccess(old.access, next.access, note);
  compareParameters(old, next, comparison, note);
  compareBodies(old, next, comparison, note);
  const [needed, needs] = [old, next].map(({ access }) => access.scopes.size > 0);
  compareResponses(
    needed && !needs ? withoutScopeResponse(old.responses, next.responses) : old.responses,
    needs && !needed ? withoutScopeResponse(next.responses, old.responses) : next.responses,
    comparison,
    note,
  );
}

/** Calls back with the new value of a flag that changed. */
function compareFlag(before: boolean, now: boolean, changed: (isNow: boolean) => void): void {
  if (before !== now) changed(now);
}

/** Notes who may call, and how often. */
export function compareAccess(old: Access, next: Access, note: Note): void {
  compareFlag(old.isPublic, next.isPublic, (isNow) =>
    isNow
      ? note('key-not-needed', '', 'no longer needs a key')
      : note('key-needed', '', `now needs credentials: ${[...next.ways].sort().join(', or ')}`),
  );
  if (!old.isPublic && !next.isPublic) {
    for (const way of minus(old.ways, next.ways)) note('key-way-removed', '', `${way} is no longer accepted`);
    for (const way of minus(next.ways, old.ways)) note('key-way-added', '', `${way} is also accepted`);
  }
  for (const scope of minus(next.scopes, old.scopes)) note('scope-added', '', `now needs the scope ${scope}`);
  for (const scope of minus(old.scopes, next.scopes)) note('scope-removed', '', `no longer needs the scope ${scope}`);
  if (old.perMinute !== next.perMinute) {
    // Without its own limit, the looser limit of the server applies.
    const [before, now] = [old.perMinute, next.perMinute].map((limit) => limit ?? serverLimit) as [number, number];
    const text = `requests per minute: ${limitText(old.perMinute)} became ${limitText(next.perMinute)}`;
    note(now < before ? 'limit-lowered' : 'limit-raised', '', text);
  }
  if (old.bodyBytesMax !== next.bodyBytesMax) {
    const [before, now] = [old.bodyBytesMax, next.bodyBytesMax].map((limit) => limit ?? serverLimit) as [
      number,
      number,
    ];
    const text = `bytes of a body: ${limitText(old.bodyBytesMax)} became ${limitText(next.bodyBytesMax)}`;
    note(now < before ? 'body-limit-lowered' : 'body-limit-raised', '', text);
  }
  comparePolicies(old.policies, next.policies, note);
}

function comparePolicies(old: readonly string[], next: readonly string[], note: Note): void {
  for (const name of next) {
    if (!old.includes(name)) note('policy-added', `policy ${name}`, `the policy ${name} is new`);
  }
  for (const name of old) {
    if (!next.includes(name)) note('policy-removed', `policy ${name}`, `the policy ${name} no longer applies`);
  }
  const [before, now] = [old.filter((name) => next.includes(name)), next.filter((name) => old.includes(name))];
  if (before.join() !== now.join()) note('policies-reordered', '', `the policies now run as ${next.join(', ')}`);
}

const serverLimit = Number.MAX_VALUE;

function limitText(limit: number | undefined): string {
  if (limit === undefined) return 'the server limit';
  return limit === Number.POSITIVE_INFINITY ? 'unlimited' : String(limit);
}

function compareParameters(old: ReadOperation, next: ReadOperation, comparison: Comparison, note: Note): void {
  for (const key of new Set([...old.parameters.keys(), ...next.parameters.keys()])) {
    const [before, now] = [old.parameters.get(key), next.parameters.get(key)];
    if (before !== undefined && now !== undefined) compareParameter(before, now, comparison, note);
    else if (now !== undefined) {
      const rule = now.isRequired ? 'parameter-added-required' : 'parameter-added';
      // Declaring a path parameter changes nothing for callers.
      if (now.in !== 'path') note(rule, partOf(now), `the ${now.in} parameter ${now.name} is new`);
    } else if (before !== undefined && before.in !== 'path') {
      note('parameter-removed', partOf(before), `the ${before.in} parameter ${before.name} is gone`);
    }
  }
}

const partOf = ({ in: place, name }: ReadParameter): string => `${place} ${name}`;

function compareParameter(old: ReadParameter, next: ReadParameter, comparison: Comparison, note: Note): void {
  const part = partOf(next);
  if (old.in === 'path' && old.name !== next.name) {
    note('parameter-renamed', part, `{${old.name}} was renamed to {${next.name}}: requests are unchanged`);
  }
  compareFlag(old.isRest, next.isRest, (isNow) =>
    isNow
      ? note('path-widened', part, `{${next.name}} now matches several segments`)
      : note('path-narrowed', part, `{${next.name}} now matches one segment only`),
  );
  compareFlag(old.isRequired, next.isRequired, (isNow) =>
    note(isNow ? 'parameter-required' : 'parameter-optional', part, isNow ? 'is now required' : 'is now optional'),
  );
  compareFlag(old.takesEmpty, next.takesEmpty, (isNow) =>
    note(
      isNow ? 'parameter-empty-allowed' : 'parameter-empty-refused',
      part,
      isNow ? 'may now be empty' : 'may no longer be empty',
    ),
  );
  compareFlag(old.isDeprecated, next.isDeprecated, (isNow) =>
    note(
      isNow ? 'parameter-deprecated' : 'parameter-restored',
      part,
      isNow ? 'is deprecated now' : 'is no longer deprecated',
    ),
  );
  if (old.style !== next.style) note('parameter-style-changed', part, `has the style ${next.style}, not ${old.style}`);
  noteSchemas(old.schema, next.schema, 'request', part, comparison, note);
}

function compareBodies(
  { body: old }: ReadOperation,
  { body: next }: ReadOperation,
  comparison: Comparison,
  note: Note,
): void {
  if (old === undefined && next === undefined) return;
  if (old === undefined || next === undefined) {
    if (next === undefined) note('body-removed', 'body', 'no longer accepts a body');
    else if (next.required === true) note('body-added-required', 'body', 'now requires a body');
    else note('body-added', 'body', 'now accepts a body');
    return;
  }
  compareFlag(old.required === true, next.required === true, (isNow) =>
    note(
      isNow ? 'body-required' : 'body-optional',
      'body',
      isNow ? 'now requires a body' : 'no longer requires a body',
    ),
  );
  const [before, now] = [contentOf(old), contentOf(next)];
  const areSeveral = before.size > 1 || now.size > 1;
  for (const [type, media] of before) {
    const other = mediaFor(type, now);
    if (other === undefined) note('request-media-type-removed', 'body', `${type} is no longer accepted`);
    else noteSchemas(media.schema, other.schema, 'request', areSeveral ? `body ${type}` : 'body', comparison, note);
  }
  for (const type of now.keys()) {
    if (mediaFor(type, before) === undefined) note('request-media-type-added', 'body', `${type} is also accepted`);
  }
}
