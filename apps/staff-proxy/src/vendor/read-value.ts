import type { UpstreamResponse } from '@rostergate/runtime/upstream';
import { brokeOff } from '../broken-answer.ts';
import { headerOf, isJson } from '../upstream/relay-response.ts';
import { createUpstreamProblem } from '../upstream/upstream-problem.ts';

/** Longest answer that is held as a whole: that of one person with every collection is far shorter. */
const valueBytesMax = 16 * 1024 * 1024;

/**
 * The value of a success; undefined where it is no JSON.
 * @throws Problem for every refusal of the upstream, and for an answer that breaks off or is too long.
 */
export async function readValue(answer: UpstreamResponse, token: string): Promise<unknown> {
  const { status, body } = answer;
  if (status < 200 || status > 299) throw await createUpstreamProblem(answer, token);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > valueBytesMax) throw new RangeError(`The answer is longer than ${valueBytesMax} bytes.`);
    }
  } catch (cause) {
    throw brokeOff(status, cause);
  }
  if (!isJson(headerOf(answer, 'content-type') ?? '')) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
