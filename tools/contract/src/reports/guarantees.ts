import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../workspace.ts';
import type { Listed, Operation } from './read-operations.ts';

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

/** Documented things by subject, and what the tests guarantee about them. */
export interface GuaranteedThings {
  readonly listed: Readonly<Record<string, readonly Listed[]>>;
  readonly guarantees: readonly Guarantee[];
}

/** Returns what is listed without a test or tested without being listed. Any gap prevents the page from being written. */
export function findGaps({ listed, guarantees }: GuaranteedThings): string[] {
  const known = new Set(
    Object.entries(listed).flatMap(([subject, things]) => things.map(({ name }) => `${subject} ${name}`)),
  );
  const tested = new Set(guarantees.map(({ subject, name }) => `${subject} ${name}`));
  return [
    ...[...known].filter((name) => !tested.has(name)).map((name) => `No acceptance test is called "${name}: …".`),
    ...[...tested]
      .filter((name) => !known.has(name))
      .map((name) => `A test is called "${name}", which does not exist.`),
  ];
}

/** The subject of a title that applies to each operation in the `test.each` of its test. */
export const everyOperation = '$operationId';

/**
 * Returns a guarantee of each operation in place of one for many. `requestsThatAnswer(404)` covers the operations whose
 * contract has a 404, `writesThatAnswer(404)` the writes among them, `requestsThatTake('If-Match')` those with the parameter,
 * `requests` all operations, `writes` all writes. None of them covers `login`, which belongs to no company, and the
 * operations for OData clients and of catalogues, which only the scheduling API has.
 * @throws Error for a title that names another status or parameter than its `test.each`
 */
export function spreadGuarantees(guarantees: readonly Guarantee[], operations: readonly Operation[]): Guarantee[] {
  return guarantees.flatMap((guarantee) => {
    if (guarantee.subject !== everyOperation) return [guarantee];
    const { name, text, file, each = '' } = guarantee;
    const goesOver = readEach(each, name);
    if (goesOver === undefined) {
      throw new Error(`${file}: "${name}: ${text}" goes over ${each}, which does not name the operations.`);
    }
    return operations
      .filter(({ operationId, method, listed }) => {
        if (uncovered.has(operationId) || !listed.some((one) => one.name === name)) return false;
        return goesOver === 'all' || method !== 'GET';
      })
      .map(({ operationId }) => ({ subject: operationId, name, text, file }));
  });
}

const uncovered: ReadonlySet<string> = new Set([
  ...['login', 'countStaffMembers'],
  ...['exportCatalogue', 'mergeCatalogue', 'replaceCatalogue'],
  ...['listODataStaffMembers', 'countODataStaffMembers', 'getODataStaffMember', 'runODataBatch'],
]);

function readEach(each: string, name: string): 'all' | 'writes' | undefined {
  const text = each.replaceAll(/\s+/g, ' ').trim();
  if (text === 'requests') return 'all';
  if (text === 'writes' || text === 'requests.filter(({ isWrite }) => isWrite)') return 'writes';
  const [, which, given] = /^(requestsThatAnswer|writesThatAnswer|requestsThatTake)\('?([\w$-]+)'?\)$/.exec(text) ?? [];
  if (given !== name) return undefined;
  return which === 'writesThatAnswer' ? 'writes' : 'all';
}
