import { ToolFailure } from '../workspace.ts';

/** The part of the error table that clients need. */
export type ProblemTable = Readonly<Record<string, { readonly status: number; readonly kind: string }>>;

/** Returns the source of one error class per kind of problem. */
export function emitProblemKinds(table: ProblemTable): string {
  const statuses = kindsByStatus(table);
  const classes = kindsOf(table).map((kind) => {
    const own = statuses.filter(([, other]) => other === kind).map(([status]) => status);
    return `\n/** Error of ${own.join(' and ')}. */\nexport class ${kind} extends ApiProblem {}\n`;
  });
  return `import { ApiProblem } from './api-problem.gen.ts';\n${classes.join('')}`;
}

/** Returns the source of the table from status to error class. */
export function emitProblemLookup(table: ProblemTable): string {
  const kinds = kindsOf(table);
  const rows = kindsByStatus(table).map(([status, kind]) => `  [${status}, '${kind}', ${kind}],\n`);
  return `import type { ApiProblem } from './api-problem.gen.ts';
import {
${kinds.map((kind) => `  ${kind},\n`).join('')}} from './problem-kinds.gen.ts';

/** The kind and error class of each status. */
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
        `Status ${status} has two kinds, ${other} and ${kind}: give the codes of a status the same kind.`,
      );
    }
    found.set(status, kind);
  }
  return [...found].sort(([a], [b]) => a - b);
}
