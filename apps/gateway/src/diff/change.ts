import { type ChangeKind, changeKinds, type Rule, rules } from './rules.ts';

/** One thing that callers will notice. */
export interface Change {
  readonly kind: ChangeKind;
  readonly rule: Rule;
  /** `GET /pets/{id}` as it is now, or was; empty for the server as a whole. */
  readonly operation: string;
  /** Where in it, such as `query limit`, `body /owner/name` or `answer 200 /[]/tag`; empty for all of it. */
  readonly part: string;
  readonly text: string;
}

/** How many changes there are of each kind. */
export type ChangeSummary = Readonly<Record<ChangeKind, number>>;

export type Note = (rule: Rule, part: string, text: string) => void;

/** Collects changes; the order in which they are found does not matter. */
export class ChangeList {
  readonly #changes = new Map<string, Change>();

  /** Notes changes of one operation. */
  at(operation: string): Note {
    return (rule, part, text) => {
      const change: Change = { kind: rules[rule], rule, operation, part, text };
      this.#changes.set(JSON.stringify(change), change);
    };
  }

  /** Worst first, then by place. */
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

/** The same whatever the language of the machine. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function pathFirst(operation: string): string {
  const [method = '', path = ''] = operation.split(' ');
  return `${path} ${method}`;
}

/** What is in the first set and not in the second. */
export function minus<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...a].filter((item) => !b.has(item)));
}
