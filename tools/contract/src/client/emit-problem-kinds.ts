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
  return classes.join('');
}

/** Returns the source of the template `read-problem.ts` with the error class of each status. */
export function emitProblemReader(template: string, table: ProblemTable): string {
  const rows = kindsByStatus(table).map(([status, kind]) => `  [${status}, '${kind}', ${kind}],\n`);
  return template
    .replace('ApiProblem,', ['ApiProblem', ...kindsOf(table)].map((name) => `${name},`).join(' '))
    .replace(' = [];', ` = [\n${rows.join('')}];`);
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
