import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { KeySource, LoadedKeys, LoadKeys } from './load-keys.ts';

/** One version of the public keys of an issuer. */
export interface KeySet {
  /** Verifies a token with one of the keys; rejects with an error of jose. */
  verify(token: string, options: JWTVerifyOptions): Promise<JWTPayload>;
}

export interface KeyAges {
  /** The age at which keys are fetched again. */
  readonly refreshMs: number;
  /** The age from which keys are not used. */
  readonly staleMsMax: number;
}

/** Thrown while no keys may be used. */
export class KeysUnavailableError extends Error {
  /** When keys are fetched next. */
  readonly retryMs: number;

  constructor(retryMs: number, cause: unknown) {
    super('The keys of the issuer are not available.', { cause });
    this.name = 'KeysUnavailableError';
    this.retryMs = retryMs;
  }
}

export interface IssuerKeysOptions {
  readonly source: KeySource;
  readonly load: LoadKeys;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Called after each fetch, without an error if it succeeded. */
  readonly onFetch?: (error?: unknown) => void;
}

/** At most one fetch in this time once keys are known, for any number of unknown keys. */
export const coolDownMs = 30_000;
const retryMsMin = 1_000;

/**
 * The public keys of one issuer, which outlive configurations. They are fetched when they are first needed, again at
 * their refresh age, and when a token names an unknown key, at most once per cool-down. Fetches are coalesced. While the
 * issuer is unreachable, the last keys stay usable.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #set: KeySet | undefined;
  #text = '';
  #loadedMs = -Infinity;
  #nextMs = -Infinity;
  #failures = 0;
  #error: unknown;
  #loading: Promise<void> | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** The age of the keys; infinite before the first fetch. */
  get ageMs(): number {
    return this.#options.clock() - this.#loadedMs;
  }

  /** Whether the last fetch failed. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Returns the keys, and fetches newer ones in the background when they are due; undefined if none may be used. */
  usable({ refreshMs, staleMsMax }: KeyAges): KeySet | undefined {
    const { ageMs } = this;
    if (ageMs > refreshMs) void this.#refresh();
    return ageMs <= staleMsMax ? this.#set : undefined;
  }

  /** Returns the keys; waits for a fetch if none may be used. @throws KeysUnavailableError */
  async require(ages: KeyAges): Promise<KeySet> {
    const set = this.usable(ages);
    if (set !== undefined) return set;
    await this.#refresh();
    if (this.#set !== undefined && this.ageMs <= ages.staleMsMax) return this.#set;
    throw this.#unavailable();
  }

  /**
   * Returns keys that differ from these; undefined if the issuer has no others, or was asked too recently.
   * @throws KeysUnavailableError if the issuer cannot be asked
   */
  async newerThan(set: KeySet): Promise<KeySet | undefined> {
    if (this.#set === set) await this.#refresh();
    if (this.#set !== set) return this.#set;
    if (this.isFailing) throw this.#unavailable();
    return undefined;
  }

  #unavailable(): KeysUnavailableError {
    return new KeysUnavailableError(Math.max(0, this.#nextMs - this.#options.clock()), this.#error);
  }

  /** Joins the fetch in progress or begins one, unless the last one is too recent. */
  #refresh(): Promise<void> | undefined {
    if (this.#loading === undefined && this.#options.clock() >= this.#nextMs) {
      this.#loading = this.#load().finally(() => {
        this.#loading = undefined;
      });
    }
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { source, load, clock, onFetch } = this.#options;
    try {
      await this.#accept(await load(source));
      onFetch?.();
    } catch (error) {
      this.#error = error;
      this.#failures++;
      const retryMs = this.#set === undefined ? retryMsMin * 2 ** (this.#failures - 1) : coolDownMs;
      this.#nextMs = clock() + Math.min(retryMs, coolDownMs);
      onFetch?.(error);
    }
  }

  async #accept({ keys, ageMs }: LoadedKeys): Promise<void> {
    const text = JSON.stringify(keys);
    // Equal keys stay one version, whose verified tokens stay cached.
    if (text !== this.#text || this.#set === undefined) this.#set = await createKeySet(keys);
    this.#text = text;
    this.#loadedMs = this.#options.clock() - ageMs;
    this.#nextMs = this.#loadedMs + coolDownMs;
    this.#failures = 0;
    this.#error = undefined;
  }
}

async function createKeySet(keys: LoadedKeys['keys']): Promise<KeySet> {
  // Loaded with the first keys: a server without issuers starts sooner.
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  const find = createLocalJWKSet({ keys: [...keys] });
  return { verify: async (token, options) => (await jwtVerify(token, find, options)).payload };
}
