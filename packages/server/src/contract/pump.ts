import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** A stream that reuses the memory of a chunk once it has been sent. */
interface ReleasingStream extends Readable {
  release?(chunk: Uint8Array): void;
}

/**
 * Sends a stream at the pace of the client, and calls `begin` before the first chunk or the end. Rejects and destroys the
 * stream when it breaks off or the client leaves. Costs a third of Node's `pipeline`, which takes any number of streams.
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
    const onClose = () => settle(res.writableFinished ? undefined : clientGone());
    stream.on('error', settle).once('close', () => {
      if (!stream.readableEnded && stream.errored === null) settle(brokenOff());
    });
    if (stream.errored !== null) {
      settle(stream.errored);
      return;
    }
    if (res.destroyed) {
      settle(clientGone());
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

/** With Node's own code for it. */
function clientGone(): Error {
  return Object.assign(new Error('The client has left.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

function brokenOff(): Error {
  return new Error('The stream was destroyed before its end.');
}
