/** Signals that the response is no longer needed. The subset of `AbortSignal` that is used; an `AbortSignal` is one. */
export interface CallSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A controller for one abort. Every request has one and few are aborted: it costs a tenth of an `AbortController`. */
export class CallController implements CallSignal {
  #isAborted = false;
  /** Usually the only listener, so that no list is needed. */
  #first: (() => void) | undefined;
  #more: (() => void)[] | undefined;

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#first === undefined && this.#more === undefined) this.#first = listener;
    else {
      this.#more ??= [];
      this.#more.push(listener);
    }
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#first === listener) {
      this.#first = undefined;
      return;
    }
    const at = this.#more?.indexOf(listener) ?? -1;
    if (at >= 0) this.#more?.splice(at, 1);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    const [first, more] = [this.#first, this.#more];
    this.#first = undefined;
    this.#more = undefined;
    first?.();
    if (more !== undefined) for (const listener of more) listener();
  }
}

/** Returns the signal as an `AbortSignal`. */
export function toAbortSignal(signal: CallSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}
