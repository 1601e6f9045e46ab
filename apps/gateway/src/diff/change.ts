import { type ChangeKind, changeKinds, type Rule, rules } from './rules.ts';

/** One change that callers notice. */
export interface Change {
  readonly kind: ChangeKind;
  readonly rule: Rule;
  /** The new name of the operation, such as `GET /pets/{id}`, or the old one if it was removed; empty for the server. */
  readonly operation: string;
  /** The part of the operation, such as `query limit`, `body /owner/name` or `answer 200 /[]/tag`; empty for the whole. */
  readonly part: string;
  readonly text: string;
}

/** The number of changes by kind. */
export type ChangeSummary = Readonly<Record<ChangeKind, number>>;

export type Note = (rule: Rule, part: string, text: string) => void;

/** Collects changes in any order, without duplicates. */
export class ChangeList {
  readonly #changes = new Map<string, Change>();

  /** Returns a function that notes changes of one operation. */
  at(operation: string): Note {
    return (rule, part, text) => {
      const change: Change = { kind: rules[rule], rule, operation, part, text };
      this.#changes.set(JSON.stringify(change), change);
    };
  }

  /** Returns the changes, worst first, then by operation and part. */
  sorted(): readonly Change[] {
    return [...this.#changes.values()].sort(
      (a, b) =>
        changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind) ||
        byText(pathFirst(a.operation), pathFirst(b.operation)) ||
        byText(a.part, b.part) ||
        byText(a.rule, b.rule) ||
        byText(a.text, b.text),
    );
  }
}

export function summarize(changes: readonly Change[]): ChangeSummary {
  const summary = Object.fromEntries(changeKinds.map((kind) => [kind, 0])) as Record<ChangeKind, number>;
  for (const { kind } of changes) summary[kind]++;
  return summary;
}

/** Compares independently of the locale. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function pathFirst(operation: string): string {
  const [method = '', path = ''] = operation.split(' ');
  return `${path} ${method}`;
}

/** Returns the items of the first set that are not in the second. */
export function minus<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...a].filter((item) => !b.has(item)));
}
