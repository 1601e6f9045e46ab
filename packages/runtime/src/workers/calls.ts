import { Problem, type ProblemCode } from '../problem/index.ts';

/** Two processes that can send each other plain data: `process` in a worker, the worker in the process that started it. */
export interface Channel {
  send(message: object, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** What one side does for the other, by name: takes plain data and gives plain data, or throws. */
export type CallHandlers = Readonly<Record<string, (params: never) => unknown>>;

export interface Calls {
  /**
   * Asks the other side. A `Problem` thrown there is thrown here; anything else becomes an Error with its message.
   * Rejects when the other side goes away first.
   */
  call<T>(name: string, params?: unknown): Promise<T>;
  /** Tells the other side and waits for nothing. */
  tell(name: string, params?: unknown): void;
}

/** Lets two processes call each other over the channel between them. Messages that are not calls are passed over. */
export function createCalls(channel: Channel, handlers: CallHandlers): Calls {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let isGone = false;

  const send = (message: CallMessage): boolean => {
    if (isGone) return false;
    try {
      // Without a listener a failure would end the process; `disconnect` tells of it.
      channel.send(message, () => {});
      return true;
    } catch {
      // The other side has gone between two of its signs: `disconnect` is on its way.
      return false;
    }
  };
  const answer = async ({ call, id, params }: Asked): Promise<void> => {
    try {
      const handle = handlers[call];
      if (handle === undefined) throw new Error(`Nobody answers to ${call}.`);
      const value = await handle(params as never);
      if (id !== undefined) send({ answerTo: id, value });
    } catch (error) {
      if (id !== undefined) send({ answerTo: id, error: toPlainError(error) });
    }
  };

  channel.on('message', (message: unknown) => {
    if (isAsked(message)) void answer(message);
    else if (isAnswer(message)) {
      const { answerTo, value, error } = message;
      const asker = waiting.get(answerTo);
      waiting.delete(answerTo);
      if (error === undefined) asker?.resolve(value);
      else asker?.reject(fromPlainError(error));
    }
  });
  channel.once('disconnect', () => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });

  return {
    call<T>(call: string, params?: unknown) {
      return new Promise<T>((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        if (send({ call, id, params })) return;
        waiting.delete(id);
        reject(gone());
      });
    },
    tell(call, params) {
      send({ call, params });
    },
  };
}

interface Asked {
  readonly call: string;
  readonly id?: number;
  readonly params?: unknown;
}

interface Answer {
  readonly answerTo: number;
  readonly value?: unknown;
  readonly error?: PlainError;
}

type CallMessage = Asked | Answer;

/** An error as it travels. */
export interface PlainError {
  readonly message: string;
  readonly problem?: { readonly code: ProblemCode; readonly headers: Readonly<Record<string, string>> };
}

export function toPlainError(error: unknown): PlainError {
  if (error instanceof Problem) {
    return { message: error.detail, problem: { code: error.code, headers: { ...error.headers } } };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

export function fromPlainError({ message, problem }: PlainError): Error {
  return problem === undefined ? new Error(message) : new Problem(problem.code, message, { headers: problem.headers });
}

function isAsked(message: unknown): message is Asked {
  return typeof (message as Partial<Asked> | null)?.call === 'string';
}

function isAnswer(message: unknown): message is Answer {
  return typeof (message as Partial<Answer> | null)?.answerTo === 'number';
}

function gone(): Error {
  return new Error('The other process has gone.');
}
