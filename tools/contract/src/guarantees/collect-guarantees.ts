/** What a test promises of something that a page lists: its title says so. */
export interface Guarantee {
  /** What kind of thing it is, such as `setting`, or the operation that it belongs to. */
  readonly subject: string;
  readonly name: string;
  readonly text: string;
  /** Of the test, where it is not made of subject, name and text. */
  readonly title?: string;
  /** From the workspace's root. */
  readonly file: string;
  /** What the test goes over, as it is written in `test.each(…)`. */
  readonly each?: string;
}

/** The title of the test that a guarantee is read from. */
export function titleOf({ subject, name, text, title = `${subject} ${name}: ${text}` }: Guarantee): string {
  return title;
}

export interface TestFile {
  /** From the workspace's root. */
  readonly file: string;
  readonly source: string;
}

/** Reads the titles of the form `setting port: 0 takes any free port` from the text of a test file. */
export function collectGuarantees({ file, source }: TestFile, subjects: readonly string[]): Guarantee[] {
  const titles = source.matchAll(
    /^ *(?:test|it)(?:\.each\(([\s\S]*?)\))?\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"([^"\\\n]+)")/gm,
  );
  return [...titles].flatMap(([, each, single = '', double = '']) => {
    const title = single.replaceAll("\\'", "'") || double;
    const [, subject, name, text] = /^(\S+) ([^:]+): (.+)$/.exec(title) ?? [];
    if (subject === undefined || name === undefined || text === undefined || !subjects.includes(subject)) return [];
    return [{ subject, name, text, file, ...(each !== undefined && { each }) }];
  });
}
