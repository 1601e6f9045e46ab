/** What one run of schemathesis found, by its own report. */
export interface Findings {
  readonly operations: number;
  readonly cases: number;
  readonly seconds: number;
  /** What is wrong with the server or its contract, one line each; the output tells of each how to repeat it. */
  readonly failures: readonly string[];
  /** Operations whose right requests were 404 without exception, so that the run says little about them. */
  readonly neverReached: readonly string[];
}

/** Reads the report of `st run --report json`; throws when the run was cut short. */
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

/** The members of the report that are read here. */
export interface SchemathesisReport {
  readonly complete: boolean;
  readonly stop_reason: string;
  readonly running_time: number;
  readonly operations: { readonly total: number; readonly selected: number; readonly tested: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[];
  readonly errors: readonly { readonly title: string; readonly count: number }[];
  readonly warnings: Readonly<Record<string, readonly unknown[]>>;
  /** By operation and phase, how many of the right requests were answered in which way. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, ValidRate>>>>;
}

interface ValidRate {
  readonly accepted: number;
  /** 409. */
  readonly conflicts: number;
  /** By a rule beyond the schema. */
  readonly rejected: number;
}

/** Each would make a run say less than it seems to. */
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
