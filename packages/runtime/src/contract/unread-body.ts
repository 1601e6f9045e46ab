import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { announcedLength, bodyBrokenOff, bodyTooLarge } from './body-bytes.ts';
import { onRequestFault } from './request-fault.ts';

/**
 * The body of a request whose operation takes any: handed to the handler as it comes, unread, and within the limit for
 * bodies all the same.
 */
export class UnreadBody {
  readonly #req: IncomingMessage;
  readonly #bytesMax: number;
  #isUntouched = true;

  /** @throws Problem `body_too_large` when the caller announces more than may be sent. */
  constructor(req: IncomingMessage, bytesMax: number) {
    this.#req = req;
    this.#bytesMax = bytesMax;
    if ((this.length ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  }

  /** Nothing has been taken out yet. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /** What the caller announced; undefined for a body whose end only its end tells. */
  get length(): number | undefined {
    return announcedLength(this.#req);
  }

  /**
   * The body as a stream that may fail alone: the caller can still be told what became of the request. It ends with
   * `body_too_large` where the limit is passed. As long as nobody has read, another can be opened.
   */
  open(): Readable {
    const req = this.#req;
    let isAttached = false;
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.#bytesMax) body.destroy(bodyTooLarge(this.#bytesMax));
      else if (!body.push(chunk)) req.pause();
    };
    const onEnd = () => body.push(null);
    const onError = (error: Error) => body.destroy(error);
    const onClose = () => {
      if (!req.readableEnded) body.destroy(bodyBrokenOff());
    };
    const body = new Readable({
      read: () => {
        if (!isAttached) {
          if (!this.#isUntouched || req.readableDidRead) {
            body.destroy(new Error('The body of the request was read before.'));
            return;
          }
          isAttached = true;
          this.#isUntouched = false;
          req.on('data', onData).once('end', onEnd).once('error', onError).once('close', onClose);
          onRequestFault(req, onError);
          if (req.destroyed && !req.readableEnded) body.destroy(bodyBrokenOff());
        }
        req.resume();
      },
      destroy: (error, done) => {
        if (isAttached) {
          req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
          // The server drains what the client still sends, within bounds.
          if (req.readableEnded) req.resume();
          else req.pause();
        }
        done(error);
      },
    });
    return body;
  }
}
