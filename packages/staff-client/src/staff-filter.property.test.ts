import { bind, type EntityModel, type PropertyModel, parseQueryOptions, toPredicate } from '@rostergate/odata';
import { document } from '@rostergate/staff-spec';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Condition, type StaffFields, staffFilter } from './index.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
const schemas = document.components?.schemas as Readonly<Record<string, Schema>>;
const nameOf = ({ $ref = '' }: Schema) => $ref.slice($ref.lastIndexOf('/') + 1);

/** The entity model of a schema and its parts. */
function createModel(root: string): EntityModel {
  const types: Record<string, { properties: Record<string, PropertyModel> }> = {};
  const visit = (name: string): void => {
    const properties: Record<string, PropertyModel> = {};
    types[name] = { properties };
    for (const [property, declared] of Object.entries(schemas[name]?.properties ?? {})) {
      const { type, format, items = {} } = schemas[nameOf(declared)] ?? declared;
      const isDate = format === 'date-time' || nameOf(declared) === 'LocalDateTime';
      if (type === 'array') {
        properties[property] = { type: nameOf(items), collection: true };
        if (types[nameOf(items)] === undefined) visit(nameOf(items));
      } else if (isDate) properties[property] = { type: 'Edm.DateTimeOffset' };
      else {
        const primitive = { string: 'Edm.String', boolean: 'Edm.Boolean', integer: 'Edm.Int32', number: 'Edm.Decimal' };
        properties[property] = { type: primitive[type as keyof typeof primitive] };
      }
    }
  };
  visit(root);
  return { types };
}
const model = createModel('StaffMemberDetailDto');

function read(filter: Condition) {
  // Random filters may exceed a server's limits.
  const options = parseQueryOptions(`$filter=${encodeURIComponent(String(filter))}`, {
    dollarOptional: false,
    limits: { nodesMax: 100_000, depthMax: 200, lengthMax: 1_000_000 },
  });
  return toPredicate(bind(options, model, 'StaffMemberDetailDto'));
}

it('identifies dates by their names', () => {
  const names = Object.values(model.types).flatMap(({ properties }) => Object.entries(properties));
  for (const [name, { type }] of names)
    expect([name, type === 'Edm.DateTimeOffset']).toEqual([name, /(Date|Utc)$/.test(name)]);
});

interface Person {
  readonly LastName: string | null;
  readonly Npi: string | null;
  readonly Fte: number | null;
  readonly IsActive: boolean;
  readonly StartDate: string | null;
  readonly Skillset: readonly { readonly TaskName: string; readonly IsSkilledMon: boolean }[];
}
/** A condition, and its value for a person. */
interface Case {
  readonly build: (s: StaffFields) => Condition;
  readonly holds: (person: Person) => boolean;
}

const text = fc.oneof(
  fc.constantFrom('', "'", "''", "O'Neil", 'a', "' or true or '", '%27', '+', 'é', '𝒜'),
  fc.string({ unit: 'binary', maxLength: 5 }).filter((value) => value.isWellFormed() && !value.includes('\0')),
);
const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
);
const date = fc.date({ min: new Date('2000-01-01Z'), max: new Date('2099-12-31Z'), noInvalidDate: true });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const person: fc.Arbitrary<Person> = fc.record({
  LastName: orNull(text),
  Npi: orNull(text),
  Fte: orNull(number),
  IsActive: fc.boolean(),
  // In the contract's form.
  StartDate: orNull(date.map((value) => value.toISOString().replace('Z', ''))),
  Skillset: fc.array(fc.record({ TaskName: text, IsSkilledMon: fc.boolean() }), { maxLength: 3 }),
});

const comparison: fc.Arbitrary<Case> = fc.oneof(
  orNull(text).map((value) => ({
    build: (s: StaffFields) => s.LastName.eq(value),
    holds: (p: Person) => p.LastName === value,
  })),
  orNull(number).map((value) => ({
    build: (s: StaffFields) => s.Fte.ne(value),
    holds: (p: Person) => p.Fte !== value,
  })),
  number.map((value) => ({
    build: (s: StaffFields) => s.Fte.ge(value),
    holds: (p: Person) => p.Fte !== null && p.Fte >= value,
  })),
  fc.array(text, { maxLength: 3 }).map((values) => ({
    build: (s: StaffFields) => s.Npi.in(values),
    holds: (p: Person) => p.Npi !== null && values.includes(p.Npi),
  })),
  date.map((value) => ({
    build: (s: StaffFields) => s.StartDate.lt(value),
    holds: (p: Person) => p.StartDate !== null && Date.parse(`${p.StartDate}Z`) < value.getTime(),
  })),
  date.map((value) => ({
    build: (s: StaffFields) => s.StartDate.gt(value.toISOString().replace('Z', '')),
    holds: (p: Person) => p.StartDate !== null && Date.parse(`${p.StartDate}Z`) > value.getTime(),
  })),
  fc.constant<Case>({ build: (s) => s.IsActive, holds: (p) => p.IsActive }),
  text.map((value) => ({
    build: (s: StaffFields) => s.Skillset.any((task) => task.IsSkilledMon.and(task.TaskName.eq(value))),
    holds: (p: Person) => p.Skillset.some((task) => task.IsSkilledMon && task.TaskName === value),
  })),
  fc.constant<Case>({
    build: (s) => s.Skillset.all((task) => task.TaskName.eq('a').or(task.IsSkilledMon).and(s.IsActive)),
    holds: (p) => p.Skillset.every((task) => (task.TaskName === 'a' || task.IsSkilledMon) && p.IsActive),
  }),
);

const { condition } = fc.letrec<{ condition: Case }>((tie) => {
  const some = fc.array(tie('condition'), { minLength: 1, maxLength: 3 });
  return {
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      comparison,
      fc.tuple(tie('condition'), some).map(
        ([first, others]): Case => ({
          build: (s) => first.build(s).and(...others.map((each) => each.build(s))),
          holds: (p) => first.holds(p) && others.every((each) => each.holds(p)),
        }),
      ),
      fc.tuple(tie('condition'), some).map(
        ([first, others]): Case => ({
          build: (s) => first.build(s).or(...others.map((each) => each.build(s))),
          holds: (p) => first.holds(p) || others.some((each) => each.holds(p)),
        }),
      ),
      tie('condition').map(({ build, holds }): Case => ({ build: (s) => build(s).not(), holds: (p) => !holds(p) })),
    ),
  };
});

it('has the same meaning for a server with any values', () => {
  fc.assert(
    fc.property(condition, fc.array(person, { minLength: 1, maxLength: 5 }), ({ build, holds }, people) => {
      const filter = staffFilter(build);
      const predicate = read(filter);
      expect(people.map((each) => predicate(each as never))).toEqual(people.map(holds));
    }),
    { numRuns: 1_000 },
  );
});

const anyText = fc.oneof(
  fc.constantFrom(
    'Infinity',
    '-Infinity',
    'NaN',
    'null',
    'true',
    "'",
    "concat('Infinity')",
    ' or ',
    '$&',
    'x1',
    '2026',
  ),
  fc.uuid(),
  fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\0')),
);
const anyNumber = fc.oneof(
  fc.constantFrom(Infinity, -Infinity, -0, 1e21, -1e21, 2 ** 53, 2 ** 63, 5e-324, Number.MAX_VALUE),
  fc.double({ noNaN: true }),
);
const anyDate = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const dateText = fc
  .tuple(anyDate, fc.stringMatching(/^\d{0,9}$/))
  .map(([value, digits]) => value.toISOString().replace('Z', digits));

it('preserves every text', () => {
  fc.assert(
    fc.property(anyText, anyText, (first, second) => {
      const one = { LastName: first, FirstName: second, Npi: first + second };
      const conditions = [
        staffFilter((s) => s.LastName.eq(first).and(s.FirstName.eq(second))),
        staffFilter((s) => s.LastName.in([second, first])),
        staffFilter((s) => s.Npi.eq(s.LastName.concat(second))),
        staffFilter((s) =>
          s.FirstName.concat(first)
            .concat('Infinity')
            .eq(s.FirstName.concat(`${first}Infinity`)),
        ),
        staffFilter((s) => s.Npi.indexOf(s.LastName.concat(second)).add(1).eq(1)),
      ];
      expect(conditions.map((each) => read(each)(one as never))).toEqual(conditions.map(() => true));
    }),
    { numRuns: 1_000 },
  );
});

it('preserves every number', () => {
  fc.assert(
    fc.property(anyNumber, (value) => {
      const conditions = [
        staffFilter((s) => s.Fte.eq(value)),
        staffFilter((s) => s.Fte.in([value])),
        staffFilter((s) => s.Fte.ge(value).and(s.Fte.le(value), s.Fte.lt(value).not())),
      ];
      expect(conditions.map((each) => read(each)({ Fte: value } as never))).toEqual(conditions.map(() => true));
    }),
    { numRuns: 1_000 },
  );
  expect(read(staffFilter((s) => s.Fte.eq(Number.NaN)))({ Fte: 0 } as never)).toBe(false);
});

it('preserves every date with all digits', () => {
  fc.assert(
    fc.property(anyDate, dateText, (value, written) => {
      const one = { StartDate: value.toISOString().replace('Z', ''), EndDate: written };
      const conditions = [
        staffFilter((s) => s.StartDate.eq(value)),
        staffFilter((s) => s.EndDate.eq(written)),
        staffFilter((s) => s.EndDate.in([written, value])),
      ];
      expect(conditions.map((each) => read(each)(one as never))).toEqual(conditions.map(() => true));
    }),
    { numRuns: 1_000 },
  );
});

it('is accepted by a server for every field and function', () => {
  const calls: Readonly<Record<string, readonly unknown[]>> = {
    ...{ startsWith: ["'"], endsWith: ["'"], contains: ["'"], toLower: [], toUpper: [], trim: [], concat: ["'"] },
    ...{ substring: [1, 2], length: [], indexOf: ["'"] },
    ...{ add: [1], sub: [-1], mul: [0.5], div: [2], mod: [3], round: [], floor: [], ceiling: [] },
    ...{ year: [], month: [], day: [], hour: [], minute: [], second: [] },
  };
  const methods: Readonly<Record<string, readonly string[]>> = {
    'Edm.String': [
      'startsWith',
      'endsWith',
      'contains',
      'toLower',
      'toUpper',
      'trim',
      'concat',
      'substring',
      'length',
      'indexOf',
    ],
    'Edm.Int32': ['add', 'sub', 'mul', 'div', 'mod', 'round', 'floor', 'ceiling'],
    'Edm.Decimal': ['add', 'sub', 'mul', 'div', 'mod', 'round', 'floor', 'ceiling'],
    'Edm.DateTimeOffset': ['year', 'month', 'day', 'hour', 'minute', 'second'],
    'Edm.Boolean': [],
  };
  // biome-ignore lint/suspicious/noExplicitAny: over all fields by their types.
  const check = (fields: any, type: string): Condition[] =>
    Object.entries(model.types[type]?.properties ?? {}).flatMap(([name, property]) => {
      const field = fields[name];
      if (property.collection) {
        let inner: Condition[] = [];
        const any = field.any((item: never) => {
          inner = check(item, property.type);
          return inner[0];
        });
        return [field.any(), any, ...inner.map((each) => field.all(() => each))];
      }
      const others = (methods[property.type] ?? []).map((method) => {
        const made = field[method](...(calls[method] ?? []));
        return /With|contains/.test(method) ? made : made.ne(null);
      });
      return [field.eq(null), field.in([null]), field.eq(field), ...others];
    });
  const conditions: Condition[] = [];
  staffFilter((s) => {
    conditions.push(...check(s, 'StaffMemberDetailDto'));
    return s.IsActive;
  });
  expect(conditions.length).toBeGreaterThan(400);
  for (const each of conditions) read(each);
});
