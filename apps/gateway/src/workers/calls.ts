/** A channel between two processes for plain data: `process` in a worker, the worker object in the primary. */
export interface Channel {
  send(message: object, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** The calls that one side handles, by name. Each takes and returns plain data, or throws. */
export type CallHandlers = Readonly<Record<string, (params: never) => unknown>>;

export interface Calls {
  /** Calls the other side. Rejects with its error, when it is gone, or without a reply within `withinMs`. */
  call<T>(name: string, params: unknown, withinMs: number): Promise<T>;
  /** Sends a message that needs no reply. */
  notify(name: string, params?: unknown): void;
}

/** A call that failed without an error of the other side. */
export class NoReplyError extends Error {
  readonly isGone: boolean;

  constructor(message: string, isGone: boolean) {
    super(message);
    this.isGone = isGone;
  }
}

/** Returns calls to the other process of a channel, and handles its calls. Ignores other messages. */
export function createCalls(channel: Channel, handlers: CallHandlers, onMessage: () => void = () => {}): Calls {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let isGone = false;

  const send = (message: CallMessage): void => {
    if (isGone) return;
    try {
      // Without a callback a failure would end the process; `disconnect` reports it.
      channel.send(message, () => {});
    } catch {
      // The other side is gone, and `disconnect` follows.
    }
  };
  const handleCall = async ({ call, id, params }: CallRequest): Promise<void> => {
    try {
      const handle = handlers[call];
      if (handle === undefined) throw new Error(`There is no call ${call}.`);
      const value = await handle(params as never);
      if (id !== undefined) send({ replyTo: id, value });
    } catch (error) {
      if (id !== undefined) send({ replyTo: id, error: error instanceof Error ? error.message : String(error) });
    }
  };

  channel.on('message', (message: unknown) => {
    onMessage();
    if (isCallRequest(message)) void handleCall(message);
    else if (isCallReply(message)) {
      const { replyTo, value, error } = message;
      if (error === undefined) waiting.get(replyTo)?.resolve(value);
      else waiting.get(replyTo)?.reject(new Error(error));
    }
  });
  channel.once('disconnect', () => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(gone());
  });

  return {
    async call<T>(call: string, params: unknown, withinMs: number) {
      if (isGone) throw gone();
      const id = ++lastId;
      const reply = Promise.withResolvers<unknown>();
      const stop = afterRunning(withinMs, () => {
        reply.reject(
          new NoReplyError(`The other process did not reply to ${call} within ${Math.round(withinMs)} ms.`, false),
        );
      });
      waiting.set(id, reply);
      send({ call, id, params });
      try {
        return (await reply.promise) as T;
      } finally {
        waiting.delete(id);
        stop();
      }
    },
    notify: (call, params) => send({ call, params }),
  };
}

const gone = () => new NoReplyError('The other process is gone.', true);

/**
 * Calls back after `ms` milliseconds in which this process was running, so that the other process gets its full time
 * after the machine was suspended. Returns a function that cancels it.
 */
export function afterRunning(ms: number, done: () => void, schedule: Schedule = scheduleTimeout): () => void {
  const sliceMs = Math.ceil(ms / 8);
  let left = 8;
  let cancel = schedule(next, sliceMs);
  function next(): void {
    if (--left === 0) done();
    else cancel = schedule(next, sliceMs);
  }
  return () => cancel();
}

/** Calls back after `ms` milliseconds; returns a function that cancels it. */
type Schedule = (then: () => void, ms: number) => () => void;

const scheduleTimeout: Schedule = (then, ms) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

interface CallRequest {
  readonly call: string;
  readonly id?: number;
  readonly params?: unknown;
}

interface CallReply {
  readonly replyTo: number;
  readonly value?: unknown;
  readonly error?: string;
}

type CallMessage = CallRequest | CallReply;

function isCallRequest(message: unknown): message is CallRequest {
  return typeof (message as Partial<CallRequest> | null)?.call === 'string';
}

function isCallReply(message: unknown): message is CallReply {
  return typeof (message as Partial<CallReply> | null)?.replyTo === 'number';
}
