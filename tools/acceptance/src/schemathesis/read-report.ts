/** The findings of one run of schemathesis. */
export interface Findings {
  readonly operations: number;
  readonly cases: number;
  readonly seconds: number;
  /** The failures, one line each; the output shows how to reproduce each. */
  readonly failures: readonly string[];
  /** Operations whose valid requests were all 404, so that the run tested them little. */
  readonly neverReached: readonly string[];
}

/** Reads the report of `st run --report json`; throws if the run was aborted. */
export function readReport(report: SchemathesisReport): Findings {
  const { operations, test_cases, failures, errors, valid_rates, warnings } = report;
  const lines = [
    ...failures.map(
      ({ title, operations: where }) => `${title}: ${where.length > 0 ? where.join(', ') : 'in sequences'}`,
    ),
    ...errors.map(({ title, count }) => `${title} (${count} times)`),
    ...fatalWarnings.flatMap((name) => (warnings[name] ?? []).map((what) => `${name}: ${textOf(what)}`)),
  ];
  if (!report.complete) lines.push(`the run ended before its end: ${report.stop_reason}`);
  if (operations.tested < operations.selected)
    lines.push(`${operations.selected - operations.tested} operations untested`);
  const neverReached = Object.entries(valid_rates)
    .filter(([, phases]) =>
      Object.values(phases).every(({ accepted, conflicts, rejected }) => accepted + conflicts + rejected === 0),
    )
    .map(([name]) => name);
  return {
    operations: operations.tested,
    cases: test_cases.generated,
    seconds: report.running_time,
    failures: lines,
    neverReached,
  };
}

/** The members of the report that are used. */
export interface SchemathesisReport {
  readonly complete: boolean;
  readonly stop_reason: string;
  readonly running_time: number;
  readonly operations: { readonly total: number; readonly selected: number; readonly tested: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[];
  readonly errors: readonly { readonly title: string; readonly count: number }[];
  readonly warnings: Readonly<Record<string, readonly unknown[]>>;
  /** The number of valid requests by operation, phase and kind of response. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, ValidRate>>>>;
}

interface ValidRate {
  readonly accepted: number;
  /** 409. */
  readonly conflicts: number;
  /** Rejected by a rule beyond the schema. */
  readonly rejected: number;
}

/** Warnings that mean that the run tested less than it seems. */
const fatalWarnings = [
  'missing_auth',
  'method_not_allowed',
  'unused_openapi_auth',
  'dictionary_mismatch',
  'rate_limited',
];

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
