/** The metrics that a page lists: the labels of each, by its name. */
export type MetricTable = ReadonlyMap<string, readonly string[]>;

/** Reads the rows below a heading: names in the first column, which may hold several, labels in the second. */
export function parseMetricTable(page: string, heading: string): MetricTable {
  const [, part = ''] = new RegExp(`\n## ${heading}\n(.*?)(?=\n## |$)`, 's').exec(page) ?? [];
  return new Map(
    [...part.matchAll(/^\| (`.*?) \| (.*?) ?\| /gm)].flatMap(([, names, labels]) => {
      const all = wordsIn(labels);
      return wordsIn(names).map((name) => [name, all] as const);
    }),
  );
}

function wordsIn(cell = ''): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word).sort();
}

/**
 * What a page and the servers do not agree on, a line each. `told` is what servers answer at `/metrics`, in the form of
 * Prometheus. What Node and the process tell is not looked at: the page has one line for all of it.
 */
export function findMetricDrift(documented: MetricTable, told: string): string[] {
  const names = new Set([...told.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
  const own = [...names].filter((name) => !/^(process|nodejs)_/.test(name));
  const missing = own.filter((name) => !documented.has(name)).map((name) => `The page lacks ${name}.`);
  const gone = [...documented.keys()].filter((name) => !names.has(name)).map((name) => `No server tells ${name}.`);
  const others = [...documented].flatMap(([name, labels]) => {
    const samples = told.matchAll(new RegExp(`^${name}(?:_bucket)?(?:\\{(.*)\\})? `, 'gm'));
    const found = new Set([...samples].map(([, given = '']) => labelsOf(given).join(', ')));
    found.delete(labels.join(', '));
    return [...found].map((given) => `${name} has the labels (${given}), and on the page (${labels.join(', ')}).`);
  });
  return [...missing, ...gone, ...others];
}

function labelsOf(text: string): string[] {
  return [...text.matchAll(/(\w+)="/g)]
    .map(([, label = '']) => label)
    .filter((label) => label !== 'le')
    .sort();
}
