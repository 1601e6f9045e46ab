const closeOpcode = 8;

/**
 * Follows the frames of one direction of a WebSocket (RFC 6455 §5.2) as its bytes pass, without storing them: a frame may
 * be injected only between two others.
 */
export class FrameCursor {
  /** The bytes left of the extended length and of the masking key of the current header. */
  #lengthLeft = 0;
  #maskLeft = 0;
  #payloadLeft = 0;
  #stage: 'first' | 'second' | 'rest' | 'payload' = 'first';

  /** A Close frame has begun. */
  hasClosed = false;

  get isBetweenFrames(): boolean {
    return this.#stage === 'first';
  }

  /** Reads bytes. With `stops`, stops at the end of the current frame. Returns the number of bytes read. */
  advance(chunk: Uint8Array, stops = false): number {
    let at = 0;
    while (at < chunk.length && !(stops && this.isBetweenFrames)) {
      if (this.#stage === 'payload') {
        const length = Math.min(this.#payloadLeft, chunk.length - at);
        at += length;
        this.#payloadLeft -= length;
        if (this.#payloadLeft === 0) this.#stage = 'first';
      } else this.#readHeader(chunk[at++] as number);
    }
    return at;
  }

  #readHeader(byte: number): void {
    if (this.#stage === 'first') {
      this.#stage = 'second';
      if ((byte & 0x0f) === closeOpcode) this.hasClosed = true;
      return;
    }
    if (this.#stage === 'second') {
      const length = byte & 0x7f;
      this.#maskLeft = byte & 0x80 ? 4 : 0;
      this.#lengthLeft = length === 126 ? 2 : length === 127 ? 8 : 0;
      this.#payloadLeft = this.#lengthLeft > 0 ? 0 : length;
    } else if (this.#lengthLeft > 0) {
      this.#lengthLeft--;
      this.#payloadLeft = this.#payloadLeft * 256 + byte;
    } else this.#maskLeft--;
    if (this.#lengthLeft + this.#maskLeft > 0) this.#stage = 'rest';
    else this.#stage = this.#payloadLeft > 0 ? 'payload' : 'first';
  }
}
