import type { EntityModel, SqlMapping } from '../src/index.ts';

/** The model of the tests. It has every type, nullable properties and nested collections. */
export const people: EntityModel = {
  types: {
    Person: {
      properties: {
        Key: { type: 'Edm.String', nullable: false },
        Name: { type: 'Edm.String' },
        Note: { type: 'Edm.String' },
        Age: { type: 'Edm.Int32' },
        Serial: { type: 'Edm.Int64' },
        Score: { type: 'Edm.Double' },
        Ratio: { type: 'Edm.Double' },
        Active: { type: 'Edm.Boolean' },
        Born: { type: 'Edm.Date' },
        Seen: { type: 'Edm.DateTimeOffset' },
        Shift: { type: 'Edm.TimeOfDay' },
        Badge: { type: 'Edm.Guid' },
        Pin: { type: 'Edm.String', hidden: true },
        Salary: { type: 'Edm.Decimal', filterable: false, sortable: false },
        Address: { type: 'Address' },
        Emails: { type: 'Edm.String', collection: true },
        Groups: { type: 'Group', collection: true, expandable: true },
      },
    },
    Address: { properties: { City: { type: 'Edm.String' }, Floor: { type: 'Edm.Int32' } } },
    Group: {
      properties: {
        Name: { type: 'Edm.String' },
        Weight: { type: 'Edm.Int32' },
        Tags: { type: 'Tag', collection: true, expandable: true },
      },
    },
    Tag: { properties: { Label: { type: 'Edm.String' }, Since: { type: 'Edm.DateTimeOffset' } } },
  },
};

export interface Person {
  Key: string;
  Name: string | null;
  Note: string | null;
  Age: number | null;
  Serial: number | bigint | null;
  Score: number | null;
  Ratio: number | null;
  Active: boolean | null;
  Born: string | null;
  Seen: string | null;
  Shift: string | null;
  Badge: string | null;
  Address: { City: string | null; Floor: number | null };
  Emails: (string | null)[];
  Groups: { Name: string | null; Weight: number | null; Tags: { Label: string | null; Since: string | null }[] }[];
}

export const mapping: SqlMapping = {
  columns: {
    Key: 'key',
    Name: 'name',
    Note: 'note',
    Age: 'age',
    Serial: 'serial',
    Score: 'score',
    Ratio: 'ratio',
    Active: 'active',
    Born: 'born',
    Seen: 'seen',
    Shift: 'shift',
    Badge: (row) => `${row}.badge`,
    Address: { columns: { City: 'city', Floor: 'floor' } },
  },
  collections: {
    Emails: {
      from: (row) => `email AS ${row}`,
      where: (row, parent) => `${row}.person = ${parent}.key`,
      element: 'address',
    },
    Groups: {
      from: (row) => `person_group AS ${row}`,
      where: (row, parent) => `${row}.person = ${parent}.key`,
      element: {
        columns: { Name: 'name', Weight: 'weight' },
        collections: {
          Tags: {
            from: (row) => `tag AS ${row}`,
            where: (row, parent) => `${row}.group_id = ${parent}.id`,
            element: { columns: { Label: 'label', Since: 'since' } },
          },
        },
      },
    },
  },
};

/** Returns the tables of the mapping. Each dialect has its own names of types. */
export const schema = (types: { text: string; double: string; boolean: string }): string[] => [
  `CREATE TABLE person (key ${types.text} PRIMARY KEY, name ${types.text}, note ${types.text}, age integer,
    serial bigint, score ${types.double}, ratio ${types.double}, active ${types.boolean}, born ${types.text}, seen ${types.text}, shift ${types.text},
    badge ${types.text}, city ${types.text}, floor integer)`,
  `CREATE TABLE email (person ${types.text}, address ${types.text})`,
  `CREATE TABLE person_group (id integer PRIMARY KEY, person ${types.text}, name ${types.text}, weight integer)`,
  `CREATE TABLE tag (group_id integer, label ${types.text}, since ${types.text})`,
];

/** Returns the rows of the tables, in the order of the columns. */
export function tableRows(rows: readonly Person[]): Record<'person' | 'email' | 'person_group' | 'tag', unknown[][]> {
  const tables = { person: [], email: [], person_group: [], tag: [] } as Record<string, unknown[][]>;
  let groupId = 0;
  for (const row of rows) {
    const { Key, Name, Note, Age, Serial, Score, Ratio, Active, Born, Seen, Shift, Badge, Address } = row;
    const plain = [
      Key,
      Name,
      Note,
      Age,
      Serial,
      Score,
      Ratio,
      Active,
      Born,
      Seen,
      Shift,
      Badge,
      Address.City,
      Address.Floor,
    ];
    tables.person?.push(plain);
    for (const email of row.Emails) tables.email?.push([Key, email]);
    for (const group of row.Groups) {
      groupId++;
      tables.person_group?.push([groupId, Key, group.Name, group.Weight]);
      for (const tag of group.Tags) tables.tag?.push([groupId, tag.Label, tag.Since]);
    }
  }
  return tables;
}
