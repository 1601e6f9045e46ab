import type { KeyRecord } from '../keys/index.ts';

/** What many keys have in common. */
interface Grants {
  readonly scopes: readonly string[];
  readonly plan: string | undefined;
  readonly attributes: string | undefined;
}

const digestWords = 8;

/**
 * The keys of a store by digest, in typed arrays: about 100 bytes a key, outside the heap, where a million objects would
 * make each garbage collection longer.
 */
export class KeyTable {
  #size = 0;
  /** The row of each digest plus 1, by its first bytes; the next free slot follows. */
  #slots = new Uint32Array(2_048);
  #digests = new Uint32Array(1_024 * digestWords);
  #grantsOf = new Uint32Array(1_024);
  /** Times; 0 for none. */
  #expires = new Float64Array(1_024);
  #revoked = new Float64Array(1_024);
  /** The name of each key, and its owner if that is another. */
  #texts: Buffer = Buffer.alloc(16_384);
  #textEnd = 0;
  #textOf = new Uint32Array(1_024);
  #nameBytes = new Uint8Array(1_024);
  #ownerBytes = new Uint8Array(1_024);
  readonly #grants: Grants[] = [];
  readonly #grantNumbers = new Map<string, number>();
  readonly #sought = new Uint32Array(digestWords);
  readonly #soughtBytes = Buffer.from(this.#sought.buffer);

  get size(): number {
    return this.#size;
  }

  /** Adds a key, or replaces the one with its digest. */
  put({ name, owner, sha256, scopes, plan, attributes, expiresAtMs = 0, revokedAtMs = 0 }: KeyRecord): void {
    if (this.#size === this.#grantsOf.length) this.#grow();
    const slot = this.#slotOf(sha256);
    let row = (this.#slots[slot] as number) - 1;
    if (row < 0) {
      row = this.#size++;
      this.#digests.set(this.#sought, row * digestWords);
      this.#slots[slot] = row + 1;
      this.#putTexts(row, name, owner);
    } else if (this.#textsOf(row) !== `${name}\n${owner}`) {
      this.#putTexts(row, name, owner);
    }
    this.#grantsOf[row] = this.#numberOf({ scopes, plan, attributes });
    this.#expires[row] = expiresAtMs;
    this.#revoked[row] = revokedAtMs;
  }

  /** Returns the record of a digest, a new object each time. */
  find(sha256: string): KeyRecord | undefined {
    const row = (this.#slots[this.#slotOf(sha256)] as number) - 1;
    if (row < 0) return undefined;
    const [name, owner] = this.#textsOf(row).split('\n') as [string, string];
    const { scopes, plan, attributes } = this.#grants[this.#grantsOf[row] as number] as Grants;
    const [expiresAtMs, revokedAtMs] = [this.#expires[row] as number, this.#revoked[row] as number];
    return Object.freeze({
      ...{ name, owner, sha256, scopes },
      ...(plan === undefined ? {} : { plan }),
      ...(attributes === undefined ? {} : { attributes }),
      ...(expiresAtMs === 0 ? {} : { expiresAtMs }),
      ...(revokedAtMs === 0 ? {} : { revokedAtMs }),
    });
  }

  /** Returns the slot of a digest, or the free one where it belongs; leaves the digest in `#sought`. */
  #slotOf(sha256: string): number {
    this.#soughtBytes.write(sha256, 'hex');
    const mask = this.#slots.length - 1;
    for (let slot = (this.#sought[0] as number) & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#slots[slot] as number) - 1;
      if (row < 0 || this.#isSought(row)) return slot;
    }
  }

  #isSought(row: number): boolean {
    const start = row * digestWords;
    for (let i = 0; i < digestWords; i++) if (this.#digests[start + i] !== this.#sought[i]) return false;
    return true;
  }

  #textsOf(row: number): string {
    const start = this.#textOf[row] as number;
    const nameEnd = start + (this.#nameBytes[row] as number);
    const name = this.#texts.toString('latin1', start, nameEnd);
    const ownerBytes = this.#ownerBytes[row] as number;
    return `${name}\n${ownerBytes === 0 ? name : this.#texts.toString('latin1', nameEnd, nameEnd + ownerBytes)}`;
  }

  #putTexts(row: number, name: string, owner: string): void {
    // Many owners have the name of their key.
    const ownerText = owner === name ? '' : owner;
    const bytes = name.length + ownerText.length;
    if (this.#textEnd + bytes > this.#texts.length) {
      this.#texts = Buffer.concat([this.#texts], Math.max(this.#texts.length * 1.5, this.#textEnd + bytes) | 0);
    }
    this.#texts.write(name + ownerText, this.#textEnd, 'latin1');
    this.#textOf[row] = this.#textEnd;
    this.#nameBytes[row] = name.length;
    this.#ownerBytes[row] = ownerText.length;
    this.#textEnd += bytes;
  }

  #numberOf(grants: Grants): number {
    const { scopes, plan, attributes } = grants;
    const isPlain = scopes.length === 0 && plan === undefined && attributes === undefined;
    const key = isPlain ? '' : JSON.stringify([scopes, plan, attributes]);
    const known = this.#grantNumbers.get(key);
    if (known !== undefined) return known;
    this.#grants.push({ scopes: Object.freeze([...scopes]), plan, attributes });
    this.#grantNumbers.set(key, this.#grants.length - 1);
    return this.#grants.length - 1;
  }

  #grow(): void {
    const rows = Math.ceil(this.#grantsOf.length * 1.5);
    const grown = <A extends Uint32Array | Float64Array | Uint8Array>(array: A, width = 1): A => {
      const larger = new (array.constructor as new (length: number) => A)(rows * width);
      larger.set(array as never);
      return larger;
    };
    this.#digests = grown(this.#digests, digestWords);
    this.#grantsOf = grown(this.#grantsOf);
    this.#expires = grown(this.#expires);
    this.#revoked = grown(this.#revoked);
    this.#textOf = grown(this.#textOf);
    this.#nameBytes = grown(this.#nameBytes);
    this.#ownerBytes = grown(this.#ownerBytes);
    if (rows * 1.3 < this.#slots.length) return;
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let row = 0; row < this.#size; row++) {
      let slot = (this.#digests[row * digestWords] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.#slots = slots;
  }
}
