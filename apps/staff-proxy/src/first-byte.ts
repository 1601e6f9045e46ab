import type { Readable } from 'node:stream';
import { isSpace } from './end-check.ts';

/** Of space alone no more than this is waited for. */
const spaceBytesMax = 64 * 1024;

/** The first byte that is no space; undefined where there is none. */
export function firstByteOf(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !isSpace(byte));
}

/** The same of a stream, in which it stays with all before it; undefined too when that is nothing but a lot of space. */
export function peekFirstByte(body: Readable): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const taken: Buffer[] = [];
    let takenBytes = 0;
    const settle = (finish: () => void) => {
      body.off('readable', look).off('end', end).off('error', fail);
      finish();
    };
    const look = () => {
      for (let chunk: Buffer | null = body.read(); chunk !== null; chunk = body.read()) {
        const first = firstByteOf(chunk);
        taken.push(chunk);
        takenBytes += chunk.length;
        if (first === undefined && takenBytes < spaceBytesMax) continue;
        return settle(() => {
          body.unshift(taken.length === 1 ? chunk : Buffer.concat(taken));
          resolve(first);
        });
      }
    };
    const end = () => settle(() => resolve(undefined));
    const fail = (cause: unknown) => settle(() => reject(cause));
    body.on('readable', look).on('end', end).on('error', fail);
  });
}

/** Whether a document of the contract begins so: each is an object or an array. */
export function isOpening(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b;
}
