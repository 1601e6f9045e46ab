/** Two processes that can send each other plain data: `process` in a worker, the worker in the process that started it. */
export interface Channel {
  send(message: object, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** The calls that one side answers, by name: each takes and returns plain data, or throws. */
export type CallHandlers = Readonly<Record<string, (params: never) => unknown>>;

export interface Calls {
  /** Calls the other side. Rejects with its error, or when it is gone, or when there is no reply within `withinMs`. */
  call<T>(name: string, params: unknown, withinMs: number): Promise<T>;
  /** Sends a message that needs no reply. */
  tell(name: string, params?: unknown): void;
}

/** Why a call failed though the other side reported no error. */
export class NoReplyError extends Error {
  readonly isGone: boolean;

  constructor(message: string, isGone: boolean) {
    super(message);
    this.isGone = isGone;
  }
}

/** Lets two processes call each other over the channel between them. Ignores messages that are not calls. */
export function createCalls(channel: Channel, handlers: CallHandlers, onMessage: () => void = () => {}): Calls {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let isGone = false;

  const send = (message: CallMessage): void => {
    if (isGone) return;
    try {
      // Without a listener a failure would end the process; `disconnect` reports it.
      channel.send(message, () => {});
    } catch {
      // The other side is gone, and `disconnect` is on its way.
    }
  };
  const answer = async ({ call, id, params }: Asked): Promise<void> => {
    try {
      const handle = handlers[call];
      if (handle === undefined) throw new Error(`There is no call ${call}.`);
      const value = await handle(params as never);
      if (id !== undefined) send({ answerTo: id, value });
    } catch (error) {
      if (id !== undefined) send({ answerTo: id, error: error instanceof Error ? error.message : String(error) });
    }
  };

  channel.on('message', (message: unknown) => {
    onMessage();
    if (isAsked(message)) void answer(message);
    else if (isAnswer(message)) {
      const { answerTo, value, error } = message;
      if (error === undefined) waiting.get(answerTo)?.resolve(value);
      else waiting.get(answerTo)?.reject(new Error(error));
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
    tell: (call, params) => send({ call, params }),
  };
}

const gone = () => new NoReplyError('The other process is gone.', true);

/**
 * Calls back after so many milliseconds in which this process was running: when the whole machine was stopped, the
 * other process has its time after that. Returns what stops it.
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

/** Calls back after so many milliseconds; returns what cancels that. */
type Schedule = (then: () => void, ms: number) => () => void;

const scheduleTimeout: Schedule = (then, ms) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

interface Asked {
  readonly call: string;
  readonly id?: number;
  readonly params?: unknown;
}

interface Answer {
  readonly answerTo: number;
  readonly value?: unknown;
  readonly error?: string;
}

type CallMessage = Asked | Answer;

function isAsked(message: unknown): message is Asked {
  return typeof (message as Partial<Asked> | null)?.call === 'string';
}

function isAnswer(message: unknown): message is Answer {
  return typeof (message as Partial<Answer> | null)?.answerTo === 'number';
}
