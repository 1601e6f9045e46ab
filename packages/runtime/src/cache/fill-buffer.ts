import type { Readable } from 'node:stream';

/**
 * The whole of a stream, if it ends within a bound and before `late` resolves; else undefined, and the stream is as if
 * nothing had been read from it.
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
