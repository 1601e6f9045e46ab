import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { FrameCursor } from './frame-cursor.ts';
import { type CloseReason, closings } from './live-connections.ts';

export interface TunnelOptions {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Closes the WebSocket after this time without data in either direction; 0 never does. */
  readonly idleMs: number;
  /** Called once when both connections are closed. */
  readonly onClosed: (reason: CloseReason) => void;
}

/** How long the rest of a frame, and then the other side, may take after a WebSocket is closed. */
const lingerMs = 500;
/** How long the bytes of one side may wait for the other side after the end of the first. */
const flushMs = 60_000;

/**
 * Passes the bytes of an open WebSocket between a client and an upstream, each at the pace of the other. It reads only the
 * lengths of frames, so that `close` can send a Close frame between two of them.
 */
export class WebSocketTunnel {
  readonly #client: Side;
  readonly #upstream: Side;
  readonly #idleTimer: NodeJS.Timeout | undefined;
  readonly #onClosed: TunnelOptions['onClosed'];
  /** The side that sent the first Close frame. */
  #closedBy: Side['name'] | undefined;
  #reason: CloseReason | undefined;

  constructor({ client, upstream, idleMs, onClosed }: TunnelOptions) {
    this.#onClosed = onClosed;
    if (idleMs > 0) this.#idleTimer = setTimeout(() => this.close('idle'), idleMs).unref();
    this.#client = new Side(client, 'client', this);
    this.#upstream = new Side(upstream, 'upstream', this);
    this.#client.passTo(this.#upstream);
    this.#upstream.passTo(this.#client);
  }

  /** Sends Close frames to both sides, each after the frame that is being sent, and ends the connections. */
  close(reason: CloseReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    clearTimeout(this.#idleTimer);
    const { code, text } = closings[reason];
    this.#client.endWith(closeFrame(code, text, false));
    this.#upstream.endWith(closeFrame(code, text, true));
    setTimeout(() => {
      this.#client.socket.destroy();
      this.#upstream.socket.destroy();
    }, lingerMs).unref();
  }

  /** Called by a side for each chunk that it sends. */
  onChunk(side: Side, hasClosed: boolean): void {
    this.#idleTimer?.refresh();
    if (hasClosed) this.#closedBy ??= side.name;
  }

  /** Called by a side when its peer sends no more. */
  onEnd(side: Side): void {
    this.#reason ??= this.#closedBy ?? side.name;
    clearTimeout(this.#idleTimer);
    const other = side === this.#client ? this.#upstream : this.#client;
    const { socket } = other;
    if (socket.destroyed) return;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), flushMs).unref();
    // A WebSocket is not half-open: a peer that was sent everything has nothing to add.
    socket.once('finish', () => setTimeout(() => socket.destroy(), lingerMs).unref());
    socket.once('close', () => clearTimeout(timer));
  }

  /** Called by a side when its connection is closed. */
  onClose(side: Side): void {
    if (!side.hasEnded) this.onEnd(side);
    if (this.#client.socket.closed && this.#upstream.socket.closed) this.#onClosed(this.#reason ?? side.name);
  }
}

/** One of the two connections, with the frames that are written to it. */
class Side {
  readonly socket: Socket;
  readonly name: 'client' | 'upstream';
  readonly #tunnel: WebSocketTunnel;
  readonly #frames = new FrameCursor();
  #lastFrame: Buffer | undefined;
  hasEnded = false;

  constructor(socket: Socket, name: Side['name'], tunnel: WebSocketTunnel) {
    this.socket = socket;
    this.name = name;
    this.#tunnel = tunnel;
  }

  passTo(other: Side): void {
    const { socket } = this;
    socket.on('data', (chunk: Buffer) => {
      if (!other.#write(chunk)) socket.pause();
      this.#tunnel.onChunk(this, other.#frames.hasClosed);
    });
    other.socket.on('drain', () => socket.resume());
    socket.on('end', () => {
      if (this.hasEnded) return;
      this.hasEnded = true;
      this.#tunnel.onEnd(this);
    });
    // An error is followed by `close`.
    socket.on('error', ignore).on('close', () => this.#tunnel.onClose(this));
    socket.resume();
  }

  /** Writes a chunk; returns false when the next one should wait. */
  #write(chunk: Buffer): boolean {
    if (!this.socket.writable) return true;
    const length = this.#frames.advance(chunk, this.#lastFrame !== undefined);
    const canWriteMore = this.socket.write(length === chunk.length ? chunk : chunk.subarray(0, length));
    if (this.#lastFrame !== undefined && this.#frames.isBetweenFrames) this.socket.end(this.#lastFrame);
    return canWriteMore;
  }

  /** Writes a last frame as soon as no other is being written. */
  endWith(frame: Buffer): void {
    this.#lastFrame = frame;
    if (this.socket.writable && this.#frames.isBetweenFrames) this.socket.end(frame);
  }
}

const ignore = (): void => {};

/** Returns a Close frame (RFC 6455 §5.5.1); frames to a server are masked. */
function closeFrame(code: number, text: string, isMasked: boolean): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(text));
  payload.writeUInt16BE(code);
  payload.write(text, 2);
  if (!isMasked) return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
  const mask = randomBytes(4);
  const masked = payload.map((byte, i) => byte ^ (mask[i % 4] as number));
  return Buffer.concat([Buffer.from([0x88, 0x80 | payload.length]), mask, masked]);
}
