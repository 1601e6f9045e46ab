/** Statements that each connection keeps prepared, and texts that are remembered until they come again. */
const namesMax = 400;
const seenMax = 1_000;

export interface StatementNames {
  /** Undefined: not to be prepared. */
  nameOf(text: string): string | undefined;
  /** The tables have another shape than when they were prepared: all are prepared anew, under other names. */
  forget(): void;
}

/**
 * Planning the JSON of a person takes longer than reading it, so a text that comes again is prepared under a name.
 * Callers' filters make new texts without end: when all names are given, the rest is planned each time.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  let given = 0;
  return {
    nameOf(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= namesMax) return known;
      if (!seen.delete(text)) {
        if (seen.size >= seenMax) seen.clear();
        seen.add(text);
        return undefined;
      }
      const name = `s${given++}`;
      names.set(text, name);
      return name;
    },
    forget: () => names.clear(),
  };
}
