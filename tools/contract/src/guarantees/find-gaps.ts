import type { Guarantee } from './collect-guarantees.ts';

/** One thing that a page lists. */
export interface Listed {
  readonly name: string;
  readonly description: string;
}

/** Things by subject, and what the tests promise of them. */
export interface GuaranteedThings {
  readonly listed: Readonly<Record<string, readonly Listed[]>>;
  readonly guarantees: readonly Guarantee[];
}

/** What is listed without a test, or tested without being listed. With any, there is no page to write. */
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
