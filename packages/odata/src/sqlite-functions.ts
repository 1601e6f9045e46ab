import { compilePattern } from './pattern.ts';

/** A function for `db.function(name, { deterministic }, run)` of node:sqlite and its like. */
export interface SqliteFunction {
  readonly name: string;
  readonly deterministic: true;
  readonly run: (...values: never[]) => string | number | null;
}

/**
 * Functions that `toSql(…, 'sqlite', …)` calls where SQLite's own know ASCII only. Register each once a connection:
 * `for (const f of sqliteFunctions) db.function(f.name, { deterministic: true }, f.run)`.
 */
export const sqliteFunctions: readonly SqliteFunction[] = [
  { name: 'odata_lower', deterministic: true, run: (text: string | null) => text?.toLowerCase() ?? null },
  { name: 'odata_upper', deterministic: true, run: (text: string | null) => text?.toUpperCase() ?? null },
  { name: 'odata_matches', deterministic: true, run: matches },
];

let last: { pattern: string; test: (text: string) => boolean } | undefined;

function matches(text: string | null, pattern: string | null): number | null {
  if (text === null || pattern === null) return null;
  if (last?.pattern !== pattern) last = { pattern, test: compilePattern(pattern) };
  return Number(last.test(text));
}
