import type { LocalResponse } from '@rostergate/server';
import { createValidationProblem, Problem } from '@rostergate/server/problem';
import type { BatchPart } from './parse-batch.ts';
import { type PartResponse, toPartResponse } from './part-response.ts';
import { type OperationAt, resolveTarget } from './part-target.ts';

export interface BatchOptions {
  readonly root: URL;
  readonly operationAt: OperationAt;
  /** Sends a request to this server; rejects with a `Problem` for the part, or with any other error for the batch. */
  readonly send: (request: PartRequest) => Promise<LocalResponse>;
  /** Returns the response to a part that is not executed. */
  readonly toError: (problem: Problem) => PartResponse;
  readonly continuesOnError: boolean;
  /** The most bytes of all bodies of responses. */
  readonly bytesMax: number;
  /** Whether no further part may begin. */
  readonly isLate: () => boolean;
  /** Lets other requests run. */
  readonly pause: () => Promise<void>;
}

export interface PartRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The rest of a longer response is not read. */
  readonly bytesMax: number;
}

/** What later parts need of a part. */
interface Outcome {
  readonly isSuccessful: boolean;
  /** The URL of the entity that the part created or returned. */
  readonly entity?: string | undefined;
}

/** Executes the parts of a batch in their order. Resolves with the JSON of the responses. */
export async function runBatch(parts: readonly BatchPart[], options: BatchOptions): Promise<string> {
  const { send, toError, continuesOnError, bytesMax, pause } = options;
  const outcomes = new Map<string, Outcome>();
  const groupSizes = new Map<string, number>();
  for (const { group } of parts) if (group !== undefined) groupSizes.set(group, (groupSizes.get(group) ?? 0) + 1);
  let bytesLeft = bytesMax;

  async function execute(part: BatchPart, n: number): Promise<{ response: PartResponse; outcome: Outcome }> {
    const { method, headers, body } = part;
    const problem = findProblem(part, options, groupSizes, outcomes) ?? findSizeProblem(method, bytesLeft, bytesMax);
    if (problem !== undefined) throw problem;
    const url = urlOf(part, n, options, outcomes);
    const found = await send({ method, url, headers, body, bytesMax: bytesLeft });
    if (method === 'GET' && !found.isWhole) throw tooLarge(bytesMax);
    const isSuccessful = found.status < 400;
    const entity = isSuccessful ? entityOf(method, url, found) : undefined;
    return { response: toPartResponse(found), outcome: { isSuccessful, entity } };
  }

  const responses: string[] = [];
  for (const [n, part] of parts.entries()) {
    const { response, outcome } = await execute(part, n).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return { response: toError(error), outcome: { isSuccessful: false } };
    });
    outcomes.set(part.id, outcome);
    if (part.group !== undefined) outcomes.set(part.group, outcome);
    bytesLeft = Math.max(0, bytesLeft - response.bytes);
    responses.push(toText(part, response));
    if (!continuesOnError && response.status >= 400) break;
    // SQLite works in this thread, so a batch would hold up everybody else.
    await pause();
  }
  return `{"responses":[${responses.join(',')}]}`;
}

/** Returns why a part is not executed. */
function findProblem(
  { group, isConditional, dependsOn }: BatchPart,
  { isLate }: BatchOptions,
  groupSizes: ReadonlyMap<string, number>,
  outcomes: ReadonlyMap<string, Outcome>,
): Problem | undefined {
  if (group !== undefined && groupSizes.get(group) !== 1) {
    const detail = `Nothing of the group "${group}" was executed, because this server has no groups of several requests. Send them without atomicityGroup.`;
    return new Problem('odata_unsupported', detail);
  }
  if (isConditional) {
    return new Problem('dependency_failed', 'This server evaluates no conditions. Send the request without if.');
  }
  const failed = dependsOn.find((name) => outcomes.get(name)?.isSuccessful !== true);
  if (failed !== undefined) {
    const detail = `"${failed}" has not succeeded, so this request was not executed. Correct it and send both again.`;
    return new Problem('dependency_failed', detail);
  }
  if (!isLate()) return undefined;
  return new Problem(
    'unavailable',
    'The batch took too long, so this request was not executed. Send it in a new batch.',
  );
}

/** A write has an effect, so its response is at most cut. */
function findSizeProblem(method: string, bytesLeft: number, bytesMax: number): Problem | undefined {
  return method === 'GET' && bytesLeft === 0 ? tooLarge(bytesMax) : undefined;
}

function tooLarge(bytesMax: number): Problem {
  const detail = `The responses of this batch may have ${bytesMax} bytes together. Read less, or in a request of its own.`;
  return new Problem('batch_too_large', detail);
}

function urlOf(
  { method, target }: BatchPart,
  n: number,
  { root, operationAt }: BatchOptions,
  outcomes: ReadonlyMap<string, Outcome>,
): string {
  if ('url' in target) return target.url;
  const { reference, rest } = target;
  const entity = outcomes.get(reference)?.entity;
  if (entity === undefined) {
    const detail = `The response of "${reference}" has no entity with a URL. Send the URL itself in a new batch.`;
    throw new Problem('dependency_failed', detail);
  }
  const resolved = resolveTarget(method, entity + rest, root, operationAt);
  if (typeof resolved === 'string')
    throw createValidationProblem([{ pointer: `/requests/${n}/url`, detail: resolved }]);
  return resolved.url;
}

/** Returns the URL of what a request created, or otherwise read or changed. */
function entityOf(method: string, url: string, { headers }: LocalResponse): string | undefined {
  if (headers.location !== undefined) return headers.location;
  return method === 'POST' || method === 'DELETE' ? undefined : url.split('?', 1)[0];
}

function toText({ id, group }: BatchPart, { status, headers, body }: PartResponse): string {
  const head = JSON.stringify({ id, ...(group !== undefined && { atomicityGroup: group }), status, headers });
  return body === undefined ? head : `${head.slice(0, -1)},"body":${body}}`;
}
