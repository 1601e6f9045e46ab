import type { Readable } from 'node:stream';

/**
 * Resolves with all bytes of a stream if it ends within `bytesMax` and before `late` resolves; otherwise with undefined,
 * and unshifts the bytes that it has read.
 */
export function fillBuffer(body: Readable, bytesMax: number, late: Promise<unknown>): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    const settle = (finish: () => void) => {
      if (isOver) return;
      isOver = true;
      body.off('readable', read).off('end', end).off('error', fail);
      finish();
    };
    const giveUp = () =>
      settle(() => {
        if (length > 0) body.unshift(Buffer.concat(chunks));
        resolve(undefined);
      });
    const read = () => {
      for (let chunk: Buffer | null = body.read(); chunk !== null; chunk = body.read()) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > bytesMax) {
          giveUp();
          return;
        }
      }
    };
    const end = () => settle(() => resolve(Buffer.concat(chunks)));
    const fail = (error: unknown) => settle(() => reject(error));
    body.on('readable', read).on('end', end).on('error', fail);
    if (body.errored !== null) fail(body.errored);
    late.then(giveUp, () => {});
  });
}
