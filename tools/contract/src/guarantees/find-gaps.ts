import type { Guarantee } from './collect-guarantees.ts';

/** A documented thing. */
export interface Listed {
  readonly name: string;
  readonly description: string;
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
