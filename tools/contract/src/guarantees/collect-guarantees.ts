import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../workspace.ts';

/** A statement about a documented thing, read from the title of the test that checks it. */
export interface Guarantee {
  /** The kind of thing, such as `setting`, or the operation that it belongs to. */
  readonly subject: string;
  readonly name: string;
  readonly text: string;
  /** The title of the test, where it differs from `subject name: text`. */
  readonly title?: string;
  /** Path from the workspace's root. */
  readonly file: string;
  /** The argument of `test.each(…)`, as written. */
  readonly each?: string;
}

/** Returns the title of the test that a guarantee was read from. */
export function titleOf({ subject, name, text, title = `${subject} ${name}: ${text}` }: Guarantee): string {
  return title;
}

export interface TestFile {
  /** Path from the workspace's root. */
  readonly file: string;
  readonly source: string;
}

/** Returns the guarantees of these subjects in the test files that match, by file and in the order of each file. */
export function loadGuarantees(patterns: readonly string[], subjects: readonly string[]): Guarantee[] {
  const files = globSync(patterns, { cwd: rootFolder }).sort();
  return files.flatMap((file) =>
    collectGuarantees({ file, source: readFileSync(join(rootFolder, file), 'utf8') }, subjects),
  );
}

/** Parses titles such as `setting port: 0 takes any free port` in the text of a test file. */
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
