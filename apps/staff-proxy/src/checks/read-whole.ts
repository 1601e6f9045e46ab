import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { brokeOff } from '../broken-answer.ts';

/** The whole body of an answer, which nobody else may read. @throws Problem `upstream_failed` beyond so many bytes. */
export async function readWhole({ status, raw }: RawReply, bytesMax: number): Promise<readonly Uint8Array[]> {
  if (!(raw instanceof Readable)) return [typeof raw === 'string' ? Buffer.from(raw) : raw];
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) throw tooLong(status, bytesMax);
    }
  } catch (cause) {
    throw brokeOff(status, cause);
  }
  return chunks;
}

function tooLong(status: number, bytesMax: number): Problem {
  const detail = `The upstream answered ${status} with more than ${bytesMax} bytes, which is too much to be checked here. Ask for less.`;
  return new Problem('upstream_failed', detail);
}
