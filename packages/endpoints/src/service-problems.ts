import { problems as builtIn, kindOfStatus, Problem, type ProblemOptions } from '@rostergate/server/problem';

/** A problem that a service may throw. */
export interface ProblemDefinition {
  /** 400 to 599. */
  readonly status: number;
  /** Short summary, the same for every occurrence. */
  readonly title: string;
}

/** Problems by code. */
export type ProblemDefinitions = Readonly<Record<string, ProblemDefinition>>;

/** Creates the problems of a service, to be thrown. `detail` says what the caller can do. */
export type ServiceProblems<P> = {
  readonly [C in keyof P]: (detail: string, options?: Omit<ProblemOptions, 'errors'>) => Problem;
};

/** Returns the functions that create the problems of a service. */
export function createServiceProblems<P extends ProblemDefinitions>(definitions: P): ServiceProblems<P> {
  const creators = Object.entries(definitions).map(([code, { status, title }]) => {
    const type = Object.freeze({ code, status, title, kind: kindOfStatus(status) });
    return [code, (detail: string, options?: ProblemOptions) => new Problem(type, detail, options)] as const;
  });
  return Object.freeze(Object.fromEntries(creators)) as ServiceProblems<P>;
}

/** Returns what is wrong with the problems of a definition; undefined when nothing is. */
export function problemsFault(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null)
    return 'They are no object. Write { out_of_stock: { status, title } }.';
  const faults = Object.entries(value).flatMap(([code, problem]) => problemFault(code, problem) ?? []);
  return faults.length === 0 ? undefined : faults.join(' ');
}

function problemFault(code: string, problem: Partial<ProblemDefinition> | undefined): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(code)) {
    return `"${code}" is not a code: begin with a letter, then use lower-case letters, digits and _.`;
  }
  if (Object.hasOwn(builtIn, code)) return `"${code}" is a built-in code: choose another.`;
  const { status, title } = problem ?? {};
  if (!Number.isInteger(status) || (status as number) < 400 || (status as number) > 599) {
    return `"${code}" needs a status from 400 to 599.`;
  }
  return typeof title === 'string' && title !== '' ? undefined : `"${code}" needs a title.`;
}
