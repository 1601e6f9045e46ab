/** The result of one step of the rehearsal. */
export interface StepOutcome {
  readonly name: string;
  readonly seconds: number;
  readonly passed: boolean;
  /** Figures of a passed step, or the first line of the error. */
  readonly detail: string;
}

/** A finding of a step; printed without a stack. */
export class RehearsalFault extends Error {
  override readonly name = 'RehearsalFault';
}

export interface StepListOptions {
  readonly write: (text: string) => void;
  readonly clock: () => number;
}

/** Runs steps one by one, and writes and records their results. */
export class StepList {
  readonly outcomes: StepOutcome[] = [];
  readonly #write: (text: string) => void;
  readonly #clock: () => number;

  constructor({ write, clock }: StepListOptions) {
    this.#write = write;
    this.#clock = clock;
  }

  /** Runs a step that later steps need; rethrows its error after writing it. */
  async need<T>(name: string, work: () => Promise<T>, describe: (value: T) => string): Promise<T> {
    const startedMs = this.#clock();
    try {
      const value = await work();
      this.#end({ name, startedMs, passed: true, text: describe(value) });
      return value;
    } catch (error) {
      this.#end({ name, startedMs, passed: false, text: describeError(error) });
      throw error;
    }
  }

  /** Runs a step that no other step needs: its error is written, and the rehearsal continues. */
  async check(name: string, work: () => Promise<string>): Promise<void> {
    await this.need(name, work, (text) => text).catch(() => undefined);
  }

  #end({ name, startedMs, passed, text }: { name: string; startedMs: number; passed: boolean; text: string }): void {
    const seconds = (this.#clock() - startedMs) / 1_000;
    const [detail = '', ...more] = text.split('\n');
    this.outcomes.push({ name, seconds, passed, detail });
    this.#write(`${passed ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${name}: ${detail}\n`);
    for (const line of more) this.#write(`               ${line}\n`);
  }
}

function describeError(error: unknown): string {
  if (error instanceof RehearsalFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
