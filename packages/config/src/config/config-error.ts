/** A position in a file; line and column begin at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One fault of the configuration: its source, its field, what is wrong and what to do. */
export interface ConfigFault {
  /** `settings.json:4:3`, `environment ROSTERGATE_PORT` or `option --port`. */
  readonly where: string;
  /** The field, such as `port` or `endpoints[2].path`; empty for a whole file. */
  readonly field: string;
  readonly detail: string;
  readonly place?: Place;
}

/** All faults of a configuration; the message has a line for each and never contains a secret. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    const lines = faults.map(({ where, field, detail }) => `  ${where}  ${field === '' ? '' : `${field}: `}${detail}`);
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Returns a fault at a place in a file. */
export function faultAt(place: Place, field: string, detail: string): ConfigFault {
  return { where: `${place.file}:${place.line}:${place.column}`, field, detail, place };
}

/** Returns a path of keys and indexes in the form `endpoints[2].path`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, step) =>
      typeof step === 'number' ? `${name}[${step}]` : name === '' ? String(step) : `${name}.${String(step)}`,
    '',
  );
}
