/** A row of the support table in the README, with queries that test it. */
export interface SupportRow {
  /** Names with the same support. Code is in backticks. */
  readonly what: string;
  readonly queries: readonly string[];
  /** `yes` if all engines run the queries, else the status of the error. */
  readonly outcome: 'yes' | 501;
  readonly note?: string;
}

const filters = (...texts: string[]): string[] => texts.map((text) => `$filter=${encodeURIComponent(text)}`);

export const support: Readonly<Record<string, readonly SupportRow[]>> = {
  Options: [
    { what: '`$filter`', queries: ['$filter=Active', 'filter=Active'], outcome: 'yes' },
    {
      what: '`$orderby`',
      queries: ['$orderby=Name desc,length(Note),Groups/$count'],
      outcome: 'yes',
      note: 'any expression',
    },
    {
      what: '`$select`',
      queries: ['$select=Key,Address/City,Groups($select=Name)', '$select=*'],
      outcome: 'yes',
      note: 'returned as a tree',
    },
    {
      what: '`$expand`',
      queries: [
        '$expand=Groups',
        '$expand=*',
        '$expand=Groups($filter=Weight gt 1;$orderby=Name;$top=2;$skip=1;$count=true;$select=Name;$expand=Tags)',
      ],
      outcome: 'yes',
      note: 'returned as a tree; nested `$filter` and `$orderby` as SQL and in memory',
    },
    { what: '`$top`, `$skip`, `$count`', queries: ['$top=1&$skip=2&$count=true'], outcome: 'yes', note: 'returned' },
    {
      what: '`@p`',
      queries: ['$filter=Age gt @p and Name in @q&@p=5&@q=["a",null]', '$orderby=@p&@p=Age'],
      outcome: 'yes',
      note: 'in `$filter` and `$orderby`',
    },
    {
      what: '`$search`, `$format`, `$skiptoken`, `$deltatoken`, `$id`, `$index`, `$schemaversion`',
      queries: [
        '$search=a OR b',
        '$format=json',
        '$skiptoken=x',
        '$deltatoken=x',
        '$id=x',
        '$index=1',
        '$schemaversion=2',
      ],
      outcome: 501,
      note: 'parsed; accepted if named in `handled`',
    },
    {
      what: '`$compute`',
      queries: ['$compute=Age add 1 as Next', '$expand=Groups($compute=Weight as W)'],
      outcome: 501,
    },
    { what: '`$apply`', queries: ['$apply=aggregate(Age with sum as Total)'], outcome: 501, note: 'stored as text' },
    {
      what: '`$levels`, `/$ref`, `/$count`, `$value`, `$search`, type casts and longer paths in `$expand`',
      queries: [
        ...[
          '$expand=Groups($levels=2)',
          '$expand=Groups/$ref',
          '$expand=Groups/$count',
          '$expand=$value',
          '$expand=*/$ref',
        ],
        ...['$expand=Groups($search=x)', '$expand=Groups/Model.Team', '$expand=Groups/Tags', '$expand=*($levels=max)'],
      ],
      outcome: 501,
    },
    {
      what: 'actions, functions, annotations and `Namespace.*` in `$select`',
      queries: ['$select=Model.*', '$select=Model.f(a)', '$select=@Core.Term'],
      outcome: 501,
    },
  ],
  Operators: [
    {
      what: '`eq`, `ne`, `gt`, `ge`, `lt`, `le`',
      queries: filters(...['eq', 'ne', 'gt', 'ge', 'lt', 'le'].map((operator) => `Name ${operator} 'a'`)),
      outcome: 'yes',
      note: 'of values of one type',
    },
    { what: '`and`, `or`, `not`, `( )`', queries: filters('(Active and not (Age eq 1)) or Active'), outcome: 'yes' },
    {
      what: '`in`',
      queries: filters("Name in ('a',null)", 'Age in ()', 'Age in [1,2]'),
      outcome: 'yes',
      note: 'lists of literals',
    },
    {
      what: '`in` a collection',
      queries: filters('Name in Emails', "'a' in (Emails)", 'Groups/any(g:g/Name in Emails)'),
      outcome: 'yes',
    },
    {
      what: '`add`, `sub`, `mul`, `div`, `divby`, `mod`, `-`',
      queries: filters(
        ...['add', 'sub', 'mul', 'div', 'divby', 'mod'].map((operator) => `-(Age ${operator} 2) gt Score`),
      ),
      outcome: 'yes',
      note: 'numbers, and constants that are dates or durations',
    },
    {
      what: 'a stored date moved by a duration',
      queries: filters("Seen add duration'P1D' gt now()"),
      outcome: 501,
      note: "move the constant: `Seen gt now() sub duration'P1D'`",
    },
    { what: '`has`', queries: filters("Name has Model.Color'Red'"), outcome: 501 },
  ],
  Functions: [
    {
      what: '`contains`, `startswith`, `endswith`, `matchesPattern`',
      queries: filters(...['contains', 'startswith', 'endswith', 'matchesPattern'].map((name) => `${name}(Name,'a')`)),
      outcome: 'yes',
      note: 'of strings; a pattern must be a constant',
    },
    {
      what: '`length`, `indexof`, `substring`, `concat`, `tolower`, `toupper`, `trim`',
      queries: filters(
        'length(Name) gt 1',
        "indexof(Name,'a') eq 1",
        "substring(Name,1) eq substring('ab',0,1)",
        "concat(Name,Note) eq ''",
        'tolower(Name) eq toupper(trim(Note))',
      ),
      outcome: 'yes',
      note: 'of strings',
    },
    {
      what: '`hassubset`, `hassubsequence`, functions of lists',
      queries: filters(
        "hassubset(['a'],['b'])",
        "hassubsequence(['a'],['b'])",
        "contains(['a','b'],['a'])",
        "length(['a']) eq 1",
      ),
      outcome: 501,
    },
    {
      what: '`year`, `month`, `day`, `hour`, `minute`, `second`, `fractionalseconds`',
      queries: filters(
        ...['year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalseconds'].map(
          (name) => `${name}(Seen) eq 1`,
        ),
      ),
      outcome: 'yes',
      note: 'in UTC',
    },
    {
      what: '`date`, `time`, `now`, `mindatetime`, `maxdatetime`, `totalseconds`',
      queries: filters(
        'date(Seen) eq 2024-01-01',
        'time(Seen) eq 12:00',
        'Seen lt now()',
        'Seen gt mindatetime()',
        'Seen lt maxdatetime()',
        "totalseconds(duration'PT1M') eq Age",
      ),
      outcome: 'yes',
    },
    {
      what: '`totaloffsetminutes`',
      queries: filters('totaloffsetminutes(Seen) eq 0'),
      outcome: 501,
      note: 'offsets are not stored',
    },
    {
      what: '`round`, `floor`, `ceiling`',
      queries: filters('round(Score) eq 1', 'floor(Score) eq ceiling(Age)'),
      outcome: 'yes',
      note: 'half away from zero',
    },
    { what: '`case`', queries: filters("case(Active:Name,true:'x') eq 'x'"), outcome: 'yes' },
    {
      what: '`cast`',
      queries: filters('cast(Age,Edm.Double) gt 1', "cast(Age,Edm.String) eq '5'", "cast(Badge,Edm.String) eq ''"),
      outcome: 'yes',
      note: 'numbers to wider ones; whole numbers and guids to strings',
    },
    {
      what: 'other `cast`',
      queries: filters('cast(Name,Edm.Int32) eq 1', 'cast(Address,Model.A) eq null', 'cast(Model.Boss) eq null'),
      outcome: 501,
    },
    {
      what: '`isof`',
      queries: filters('isof(Name,Edm.String)', 'isof(Model.Person)'),
      outcome: 'yes',
      note: 'by declared type',
    },
    {
      what: '`geo.distance`, `geo.length`, `geo.intersects`',
      queries: filters('geo.distance(Name,Name) lt 1', 'geo.length(Name) lt 1', 'geo.intersects(Name,Name)'),
      outcome: 501,
    },
  ],
  'Paths and literals': [
    {
      what: 'properties of complex properties, `$it`, `$this`',
      queries: filters("Address/City eq 'x'", '$it/Name eq $this/Note'),
      outcome: 'yes',
      note: '`$it` inside `$expand` 501',
    },
    {
      what: '`any`, `all`, `/$count`, `/$filter( )`, nested',
      queries: filters(
        'Groups/any()',
        'Groups/all(g:g/Tags/any(t:t/Label eq g/Name))',
        'Groups/$count($filter=Weight gt 1) gt 1',
        'Groups/$filter(Weight gt 1)/any(g:g/Tags/$count gt $it/Age)',
        "Emails/any(e:e eq 'x')",
      ),
      outcome: 'yes',
    },
    {
      what: 'keys, type casts, annotations, `$root`, lists and objects in JSON',
      queries: filters(
        'Groups(1)/Name eq 1',
        "Model.Boss/Name eq 'x'",
        "Name/@Core.Term eq 'x'",
        '$root/People/$count eq 1',
        'Name eq {"a":1}',
      ),
      outcome: 501,
    },
    {
      what: '`null`, booleans, numbers of any size, `INF`, `NaN`, strings, guids',
      queries: filters(
        'Name eq null',
        'Active eq true',
        'Serial lt 12345678901234567890',
        'Score lt INF',
        'Score ne NaN',
        "Name eq 'O''Neil'",
        'Badge eq 11111111-2222-3333-4444-555555555555',
      ),
      outcome: 'yes',
    },
    {
      what: 'dates, times, dates with time, durations',
      queries: filters(
        'Born eq 2024-01-01',
        'Shift eq 12:00',
        'Seen eq 2024-01-01T00:00:00Z',
        'Seen eq 2024-01-01T00:00:00',
        'Seen eq 2024-01-01',
        "duration'P1D' gt duration'PT1H'",
      ),
      outcome: 'yes',
      note: 'years 1 to 9999',
    },
    {
      what: 'enumeration, binary and geo literals',
      queries: filters("Name eq Model.Color'Red'", "Name eq binary'AA'", "Name eq geography'SRID=0;Point(1 2)'"),
      outcome: 501,
    },
  ],
};

/** Returns the rows as a Markdown table. */
export function createSupportTable(): string {
  const lines = ['| | memory | SQLite | PostgreSQL | |', '| --- | --- | --- | --- | --- |'];
  for (const [group, ofGroup] of Object.entries(support)) {
    lines.push(`| **${group}** | | | | |`);
    for (const { what, outcome, note } of ofGroup) {
      lines.push(`| ${what} | ${outcome} | ${outcome} | ${outcome} | ${note ?? ''} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}
