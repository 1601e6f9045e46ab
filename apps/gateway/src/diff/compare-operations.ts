import { minus, type Note } from './change.ts';
import { type Comparison, compareAnswers, noteSchemas, withoutScopeAnswer } from './compare-responses.ts';
import { type Access, contentOf, mediaFor, type ReadOperation, type ReadParameter } from './operations.ts';

export function compareOperations(old: ReadOperation, next: ReadOperation, comparison: Comparison, note: Note): void {
  if (old.operationId !== next.operationId) {
    note(
      'operation-id-changed',
      '',
      `the operationId ${old.operationId || 'none'} became ${next.operationId || 'none'}: generated clients name it otherwise`,
    );
  }
  compareFlag(old.operation.deprecated === true, next.operation.deprecated === true, (isNow) =>
    note(
      isNow ? 'operation-deprecated' : 'operation-restored',
      '',
      isNow ? 'is deprecated now' : 'is deprecated no more',
    ),
  );
  compareAccess(old.access, next.access, note);
  compareParameters(old, next, comparison, note);
  compareBodies(old, next, comparison, note);
  const [needed, needs] = [old, next].map(({ access }) => access.scopes.size > 0);
  compareAnswers(
    needed && !needs ? withoutScopeAnswer(old.answers, next.answers) : old.answers,
    needs && !needed ? withoutScopeAnswer(next.answers, old.answers) : next.answers,
    comparison,
    note,
  );
}

/** Calls back with what became of a flag that changed. */
function compareFlag(before: boolean, now: boolean, changed: (isNow: boolean) => void): void {
  if (before !== now) changed(now);
}

function compareAccess(old: Access, next: Access, note: Note): void {
  compareFlag(old.isPublic, next.isPublic, (isNow) =>
    isNow
      ? note('key-not-needed', '', 'may be called by anyone now')
      : note('key-needed', '', `needs proof of who calls now: ${[...next.ways].sort().join(', or ')}`),
  );
  if (!old.isPublic && !next.isPublic) {
    for (const way of minus(old.ways, next.ways)) note('key-way-removed', '', `${way} is not taken any more`);
    for (const way of minus(next.ways, old.ways)) note('key-way-added', '', `${way} is taken too`);
  }
  for (const scope of minus(next.scopes, old.scopes)) note('scope-added', '', `needs the scope ${scope} now`);
  for (const scope of minus(old.scopes, next.scopes)) note('scope-removed', '', `needs the scope ${scope} no more`);
  if (old.perMinute !== next.perMinute) {
    // Without a number of its own the limit of the server holds, which is the looser one.
    const [before, now] = [old.perMinute, next.perMinute].map((limit) => limit ?? serverLimit) as [number, number];
    const text = `calls a minute: ${limitText(old.perMinute)} became ${limitText(next.perMinute)}`;
    note(now < before ? 'limit-lowered' : 'limit-raised', '', text);
  }
}

const serverLimit = Number.MAX_VALUE;

function limitText(limit: number | undefined): string {
  if (limit === undefined) return 'what the server allows';
  return limit === Number.POSITIVE_INFINITY ? 'any number' : String(limit);
}

function compareParameters(old: ReadOperation, next: ReadOperation, comparison: Comparison, note: Note): void {
  for (const key of new Set([...old.parameters.keys(), ...next.parameters.keys()])) {
    const [before, now] = [old.parameters.get(key), next.parameters.get(key)];
    if (before !== undefined && now !== undefined) compareParameter(before, now, comparison, note);
    else if (now !== undefined) {
      const rule = now.isRequired ? 'parameter-added-required' : 'parameter-added';
      // Whether the document declares what stands in the path changes nothing for callers.
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
    note('parameter-renamed', part, `{${old.name}} is called {${next.name}} now: the same on the wire`);
  }
  compareFlag(old.isRequired, next.isRequired, (isNow) =>
    note(isNow ? 'parameter-required' : 'parameter-optional', part, isNow ? 'must be sent now' : 'may be left out now'),
  );
  compareFlag(old.takesEmpty, next.takesEmpty, (isNow) =>
    note(
      isNow ? 'parameter-empty-allowed' : 'parameter-empty-refused',
      part,
      isNow ? 'may be empty now' : 'may not be empty any more',
    ),
  );
  compareFlag(old.isDeprecated, next.isDeprecated, (isNow) =>
    note(
      isNow ? 'parameter-deprecated' : 'parameter-restored',
      part,
      isNow ? 'is deprecated now' : 'is deprecated no more',
    ),
  );
  if (old.style !== next.style)
    note('parameter-style-changed', part, `is written as ${next.style}, not as ${old.style}`);
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
    if (next === undefined) note('body-removed', 'body', 'takes no body any more');
    else if (next.required === true) note('body-added-required', 'body', 'needs a body now');
    else note('body-added', 'body', 'may have a body now');
    return;
  }
  compareFlag(old.required === true, next.required === true, (isNow) =>
    note(
      isNow ? 'body-required' : 'body-optional',
      'body',
      isNow ? 'must have a body now' : 'may come without a body now',
    ),
  );
  const [before, now] = [contentOf(old), contentOf(next)];
  const areSeveral = before.size > 1 || now.size > 1;
  for (const [type, media] of before) {
    const other = mediaFor(type, now);
    if (other === undefined) note('request-media-type-removed', 'body', `${type} is not taken any more`);
    else noteSchemas(media.schema, other.schema, 'request', areSeveral ? `body ${type}` : 'body', comparison, note);
  }
  for (const type of now.keys()) {
    if (mediaFor(type, before) === undefined) note('request-media-type-added', 'body', `${type} is taken too`);
  }
}
