/** What one step of the rehearsal came to. */
export interface StepOutcome {
  readonly name: string;
  readonly seconds: number;
  readonly passed: boolean;
  /** Figures of what went well, or the first line of what did not. */
  readonly detail: string;
}

/** What a step has found wrong, in words for whoever runs the rehearsal; the first line stands in the table. */
export class RehearsalFault extends Error {
  override readonly name = 'RehearsalFault';
}

export interface StepListOptions {
  readonly write: (text: string) => void;
  readonly clock: () => number;
}

/** Runs steps one by one, tells of each, and keeps what they came to. */
export class StepList {
  readonly outcomes: StepOutcome[] = [];
  readonly #write: (text: string) => void;
  readonly #clock: () => number;

  constructor({ write, clock }: StepListOptions) {
    this.#write = write;
    this.#clock = clock;
  }

  /** A step that later ones build on: throws what it throws, once it is told. */
  async need<T>(name: string, work: () => Promise<T>, describe: (value: T) => string): Promise<T> {
    const startedMs = this.#clock();
    try {
      const value = await work();
      this.#end({ name, startedMs, passed: true, said: describe(value) });
      return value;
    } catch (error) {
      this.#end({ name, startedMs, passed: false, said: describeError(error) });
      throw error;
    }
  }

  /** A step that nothing hangs on: what it finds wrong is told, and the rehearsal goes on. */
  async check(name: string, work: () => Promise<string>): Promise<void> {
    await this.need(name, work, (said) => said).catch(() => undefined);
  }

  #end({ name, startedMs, passed, said }: { name: string; startedMs: number; passed: boolean; said: string }): void {
    const seconds = (this.#clock() - startedMs) / 1_000;
    const [detail = '', ...more] = said.split('\n');
    this.outcomes.push({ name, seconds, passed, detail });
    this.#write(`${passed ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${name}: ${detail}\n`);
    for (const line of more) this.#write(`               ${line}\n`);
  }
}

function describeError(error: unknown): string {
  if (error instanceof RehearsalFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
