import type { DependencyStatus } from '@rostergate/runtime/lifecycle';

/** The key behind a token, and whether the token has expired. */
export interface FoundToken {
  readonly keySha256: string;
  readonly isExpired: boolean;
}

/** Beyond this, a key's newest token ends its oldest: a client that logs in for each request harms only itself. */
export const tokensPerKeyMax = 1_000;

/** What becomes of the tokens of keys that are not named. */
export type OtherTokens = 'keep' | 'delete';

/**
 * Where issued tokens are stored, each by its digest and bound to the key that asked for it. An expired token is told
 * from an unknown one for one more lifetime.
 */
export interface TokenStore {
  /** Rejects with a `Problem` 503 where the token could not be stored. */
  save(digest: string, keySha256: string, lifetimeMs: number): void | Promise<void>;
  /** Rejects with a `Problem` 503 where that is unknown. */
  find(digest: string): FoundToken | undefined | Promise<FoundToken | undefined>;
  /**
   * Ends tokens once the milliseconds that are given for the digest of their key have passed, those that end sooner
   * excepted; 0 deletes them. Tokens of all other keys are deleted too when `others` says so.
   */
  shorten(leftMs: ReadonlyMap<string, number>, others: OtherTokens): void | Promise<void>;
  /** For readiness: where tokens are stored and, when they cannot be reached there, why. */
  status(): DependencyStatus | Promise<DependencyStatus>;
  close(): void;
}
