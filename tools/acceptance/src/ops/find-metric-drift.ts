/** The labels of each metric of a page, by name. */
export type MetricTable = ReadonlyMap<string, readonly string[]>;

/** Reads the rows below a heading: one or more names in the first column, labels in the second. */
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
 * Returns the differences between a page and the responses of the servers at `/metrics`. Ignores the metrics of Node and
 * the process, which the page does not list one by one.
 */
export function findMetricDrift(documented: MetricTable, exported: string): string[] {
  const names = new Set([...exported.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
  const own = [...names].filter((name) => !/^(process|nodejs)_/.test(name));
  const missing = own.filter((name) => !documented.has(name)).map((name) => `The page lacks ${name}.`);
  const gone = [...documented.keys()].filter((name) => !names.has(name)).map((name) => `No server exports ${name}.`);
  const others = [...documented].flatMap(([name, labels]) => {
    const samples = exported.matchAll(new RegExp(`^${name}(?:_bucket)?(?:\\{(.*)\\})? `, 'gm'));
    const found = new Set([...samples].map(([, given = '']) => labelsOf(given).join(', ')));
    found.delete(labels.join(', '));
    return [...found].map((given) => `${name} has the labels (${given}), but on the page (${labels.join(', ')}).`);
  });
  return [...missing, ...gone, ...others];
}

function labelsOf(text: string): string[] {
  return [...text.matchAll(/(\w+)="/g)]
    .map(([, label = '']) => label)
    .filter((label) => label !== 'le')
    .sort();
}
