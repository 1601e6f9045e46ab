import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** A stream that is told of each chunk once it has been sent, and may then use its memory for something else. */
export interface ReleasingStream extends Readable {
  release?(chunk: Uint8Array): void;
}

/**
 * Calls `begin` with the first chunk, or the end, and sends a stream to its end at the pace of the caller; rejects when it breaks off, or the caller goes away, and ends
 * it then. What Node's own `pipeline` does for any number of streams, at a third of its cost.
 */
export function pump(stream: ReleasingStream, res: ServerResponse, begin?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const settle = (error?: Error) => {
      if (isOver) return;
      isOver = true;
      res.off('drain', onDrain).off('finish', settle).off('close', onClose).off('error', settle);
      if (error === undefined) {
        resolve();
        return;
      }
      stream.destroy();
      reject(error);
    };
    const onDrain = () => stream.resume();
    const onClose = () => settle(res.writableFinished ? undefined : callerGone());
    stream.on('error', settle).once('close', () => {
      if (!stream.readableEnded && stream.errored === null) settle(brokenOff());
    });
    if (stream.errored !== null) {
      settle(stream.errored);
      return;
    }
    if (res.destroyed) {
      settle(callerGone());
      return;
    }
    res.on('drain', onDrain).on('finish', settle).on('close', onClose).on('error', settle);
    let whenBegun = begin;
    const beginOnce = () => {
      const first = whenBegun;
      whenBegun = undefined;
      try {
        first?.();
      } catch (error) {
        settle(error as Error);
      }
    };
    const isReleasing = stream.release !== undefined;
    stream.on('data', (chunk: Uint8Array) => {
      if (whenBegun !== undefined) beginOnce();
      if (isOver) return;
      const release = (error?: Error | null) => {
        if (!error) stream.release?.(chunk);
      };
      if (!(isReleasing ? res.write(chunk, release) : res.write(chunk))) stream.pause();
    });
    stream.once('end', () => {
      if (whenBegun !== undefined) beginOnce();
      if (!isOver) res.end();
    });
  });
}

/** The code by which Node calls it, too. */
function callerGone(): Error {
  return Object.assign(new Error('The caller has gone away.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

function brokenOff(): Error {
  return new Error('The stream was destroyed before its end.');
}
