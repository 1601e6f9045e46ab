import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeMachine } from '../../../benchmark/src/machine.ts';

/** The result of the last recorded run of the scenarios. */
export interface RecordedScenarios {
  readonly scenarios: number;
  /** How many different pairs of disturbances they were. */
  readonly pairs: number;
  readonly requests: number;
  /** Scenarios with violations. */
  readonly failed: number;
  /** Scenarios in which a process lacked the CPU, so that only contents were checked. */
  readonly starved: number;
  readonly seed: number;
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly machine: string;
}

const file = fileURLToPath(new URL('../../promises/scenarios.json', import.meta.url));

export function readRecordedScenarios(): RecordedScenarios | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedScenarios) : undefined;
}

export function recordScenarios(result: Omit<RecordedScenarios, 'date' | 'machine'>, now: Date): void {
  const recorded = { ...result, date: now.toISOString().slice(0, 10), machine: describeMachine() };
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}
