import { ConfigError } from '../config/config-error.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { toFaultJson } from './format-faults.ts';
import type { Output } from './terminal.ts';

export interface ReportValidityOptions {
  readonly out: Output;
  readonly json: boolean;
}

/** The report on a valid configuration. */
export interface ValidConfiguration {
  readonly settings_file: string;
  /** Counts by plural noun. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Settings that work but cost more than necessary. */
  readonly warnings?: readonly string[];
}

/**
 * Reports whether a configuration is valid, in a line or as JSON.
 * @throws ConfigError with every fault, or with `json` a CommandFailure that is already reported
 */
export async function reportValidity(
  load: () => Promise<ValidConfiguration>,
  { out, json }: ReportValidityOptions,
): Promise<void> {
  if (!json) {
    const { settings_file, sizes, warnings = [] } = await load();
    for (const warning of warnings) out.write(`${out.style('yellow', 'Note')}: ${warning}\n`);
    const counts = Object.entries(sizes).map(([noun, size]) => `${size} ${size === 1 ? noun.slice(0, -1) : noun}`);
    out.write(`${out.style('green', 'Valid')}: ${settings_file}, with ${counts.join(', ')}.\n`);
    return;
  }
  const verdict = await load().then(
    ({ settings_file, sizes, warnings = [] }) => ({
      ...{ valid: true, settings_file, ...sizes, faults: [] },
      ...(warnings.length === 0 ? {} : { warnings }),
    }),
    (error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      return { valid: false, faults: error.faults.map(toFaultJson) };
    },
  );
  out.write(`${JSON.stringify(verdict, null, 2)}\n`);
  if (!verdict.valid) throw new CommandFailure('', exitCodes.invalid, { isReported: true });
}
