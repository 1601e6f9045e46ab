import { ToolFailure } from '../tool-failure.ts';

/** The part of the servers' error table that clients need. */
export type ProblemTable = Readonly<Record<string, { readonly status: number; readonly kind: string }>>;

/** One error class for each kind of problem that the servers have. */
export function emitProblemKinds(table: ProblemTable): string {
  const statuses = kindsByStatus(table);
  const classes = kindsOf(table).map((kind) => {
    const own = statuses.filter(([, other]) => other === kind).map(([status]) => status);
    return `\n/** The kind of ${own.join(' and ')}. */\nexport class ${kind} extends ApiProblem {}\n`;
  });
  return `import { ApiProblem } from './api-problem.gen.ts';\n${classes.join('')}`;
}

/** How an answer finds its class: by the kind that it names, else by its status. */
export function emitProblemLookup(table: ProblemTable): string {
  const kinds = kindsOf(table);
  const rows = kindsByStatus(table).map(([status, kind]) => `  [${status}, '${kind}', ${kind}],\n`);
  return `import type { ApiProblem } from './api-problem.gen.ts';
import {
${kinds.map((kind) => `  ${kind},\n`).join('')}} from './problem-kinds.gen.ts';

/** Each status with its kind. */
export const kinds: readonly (readonly [status: number, kind: string, constructor: typeof ApiProblem])[] = [
${rows.join('')}];
`;
}

function kindsOf(table: ProblemTable): string[] {
  return [...new Set(kindsByStatus(table).map(([, kind]) => kind))];
}

function kindsByStatus(table: ProblemTable): [number, string][] {
  const found = new Map<number, string>();
  for (const { status, kind } of Object.values(table)) {
    const other = found.get(status);
    if (other !== undefined && other !== kind) {
      throw new ToolFailure(
        `Status ${status} has two kinds, ${other} and ${kind}: a client could not tell which it is.`,
      );
    }
    found.set(status, kind);
  }
  return [...found].sort(([a], [b]) => a - b);
}
