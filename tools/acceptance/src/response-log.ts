import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResponseVerdict } from './response-check.ts';
import type { ServerName } from './server-names.ts';

/** The verdict on a response of a server. */
export interface LoggedResponse extends ResponseVerdict {
  readonly server: ServerName;
}

/** Returns a log that writes each distinct verdict once, to a file of this process in the shared folder. */
export function createResponseLog(folder: string): (response: LoggedResponse) => void {
  const file = join(folder, `${process.pid}-${Math.random().toString(36).slice(2)}.jsonl`);
  const known = new Set<string>();
  return (response) => {
    const line = `${JSON.stringify(response)}\n`;
    if (known.has(line)) return;
    known.add(line);
    appendFileSync(file, line);
  };
}

/** Returns the verdicts of all logs in a folder. */
export function readResponseLog(folder: string): LoggedResponse[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl') && !file.endsWith('.tests.jsonl'));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedResponse);
}

/** Returns the faults of all responses, each once. */
export function listFaults(responses: readonly LoggedResponse[]): string[] {
  const faults = responses.flatMap(({ server, operationId, status, faults }) =>
    faults.map((fault) => `${server} ${operationId ?? 'without an operation'} ${status}: ${fault}`),
  );
  return [...new Set(faults)];
}
