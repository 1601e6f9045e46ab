import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerVerdict } from './check-answer.ts';
import type { OpenApiDocument } from './contract-paths.ts';
import type { ServerName } from './start-server.ts';

/** What the contract of a server says of one of its answers. */
export interface LoggedAnswer extends AnswerVerdict {
  readonly server: ServerName;
}

/** Keeps each kind of answer once, in a file of this process: all that call the servers have the folder in common. */
export function createAnswerLog(folder: string): (answer: LoggedAnswer) => void {
  const file = join(folder, `${process.pid}-${Math.random().toString(36).slice(2)}.jsonl`);
  const known = new Set<string>();
  return (answer) => {
    const line = `${JSON.stringify(answer)}\n`;
    if (known.has(line)) return;
    known.add(line);
    appendFileSync(file, line);
  };
}

export function readAnswerLog(folder: string): LoggedAnswer[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedAnswer);
}

export interface AnswerSummary {
  /** A line for each server: how many of the answers that its contract declares were seen. */
  readonly lines: readonly string[];
  /** Answers that the contract does not allow. */
  readonly faults: readonly string[];
}

/** Counts operations by status, as declared and as seen; an answer by `default` counts as that. */
export function summariseAnswers(
  answers: readonly LoggedAnswer[],
  documents: Readonly<Record<ServerName, OpenApiDocument>>,
): AnswerSummary {
  const lines = Object.entries(documents).map(([server, document]) => {
    const declared = new Set(declaredAnswers(document));
    const seen = answers.filter((answer) => answer.server === server && answer.operationId !== undefined);
    const kinds = new Set(seen.map(({ operationId, listedAs }) => `${operationId} ${listedAs}`));
    const found = [...declared].filter((kind) => kinds.has(kind));
    return `${server}: ${found.length} of ${declared.size} declared answers were seen, by operation and status`;
  });
  const faults = answers.flatMap(({ server, operationId, status, faults }) =>
    faults.map((fault) => `${server} ${operationId ?? 'without an operation'} ${status}: ${fault}`),
  );
  return { lines, faults: [...new Set(faults)] };
}

function declaredAnswers({ paths }: OpenApiDocument): string[] {
  type Operation = { readonly operationId?: string; readonly responses?: object };
  return Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, Operation>).flatMap(({ operationId, responses }) =>
      operationId === undefined ? [] : Object.keys(responses ?? {}).map((status) => `${operationId} ${status}`),
    ),
  );
}
