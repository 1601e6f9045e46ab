import { createHash } from 'node:crypto';
import { createKeyAdministration, type KeyAdministration, type KeyStore } from '@rostergate/access/key-store';
import {
  KeyEditError,
  keyStateAt,
  type RandomBytes,
  type RawKeyEntry,
  type RawKeysFile,
} from '@rostergate/access/keys';
import type { Portal } from '@rostergate/endpoints';
import { Problem } from '@rostergate/server/problem';

export interface OwnedKeysOptions {
  readonly store: KeyStore;
  readonly owner: string;
  readonly bounds: Pick<Portal, 'plans' | 'scopes' | 'keys_max'>;
  /** The names of all plans, those included that only an operator gives. */
  readonly plans: readonly string[];
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: RandomBytes;
}

export interface NewKey {
  readonly name: string;
  readonly plan?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

export interface CreatedKey {
  readonly key: string;
  readonly entry: RawKeyEntry;
}

/** The keys of one developer, within the bounds of the portal. Keys of others do not exist for it. */
export interface OwnedKeys {
  list(): Promise<readonly RawKeyEntry[]>;
  create(asked: NewKey): Promise<CreatedKey>;
  rotate(name: string, overlapMs: number): Promise<CreatedKey>;
  revoke(name: string): Promise<void>;
}

const keyPrefix = 'rg';
const dayMs = 86_400_000;
/** The longest overlap of a rotation. */
const overlapMsMax = 7 * dayMs;
/** Created keys of a day for each valid one. */
const createdPerDay = 10;
const pageKeys = 1_000;

export function createOwnedKeys({ store, owner, bounds, plans, clock, random }: OwnedKeysOptions): OwnedKeys {
  /** Changes the keys after a check of those that the edit concerns. `prepare` may change them before the edit. */
  async function change<R>(
    requireAllowed: (own: readonly RawKeyEntry[]) => void,
    run: (keys: KeyAdministration) => Promise<R>,
    prepare: (file: RawKeysFile) => RawKeysFile = (file) => file,
  ): Promise<R> {
    const checked: KeyStore = {
      ...store,
      edit: (about, edit) =>
        store.edit(about, (file: RawKeysFile) => {
          requireAllowed(file.keys.filter((key) => key.owner === owner));
          return edit(prepare(file));
        }),
    };
    try {
      return await run(createKeyAdministration({ store: checked, actor: owner, clock, random, keyPrefix }));
    } catch (error) {
      if (!(error instanceof KeyEditError)) throw error;
      // Its message may contain names of others.
      const detail =
        error.reason === 'invalid'
          ? 'The plan of your keys no longer exists. Create a key: all of your keys get its plan.'
          : 'You have a key of that name already, or the key is no longer valid. See your keys.';
      throw new Problem('conflict', detail, { cause: error });
    }
  }

  async function list(): Promise<readonly RawKeyEntry[]> {
    const own: RawKeyEntry[] = [];
    for (;;) {
      const page = await store.page({ after: own.at(-1)?.name ?? '', limit: pageKeys, owner });
      own.push(...page);
      if (page.length < pageKeys) return own;
    }
  }

  function requireRoom(own: readonly RawKeyEntry[], validMax: number): void {
    const nowMs = clock();
    if (own.filter((key) => keyStateAt(key, nowMs) === 'active').length >= validMax) {
      throw forbidden(`You can have ${validMax} valid keys. Revoke one first.`);
    }
    const recent = own.filter(({ created_at }) => Date.parse(String(created_at)) > nowMs - dayMs);
    const recentMax = createdPerDay * bounds.keys_max;
    if (recent.length >= recentMax) throw forbidden(`You can create ${recentMax} keys in 24 hours. Try again later.`);
  }

  /** Requires that the successor of a key is one of `keys_max`, beside keys that are about to expire. */
  function requireRoomOf(own: readonly RawKeyEntry[], name: string): void {
    const laterMs = clock() + overlapMsMax;
    const others = own.filter((key) => key.name !== name && keyStateAt(key, laterMs) === 'active');
    if (others.length >= bounds.keys_max)
      throw forbidden(`You can have ${bounds.keys_max} valid keys. Revoke one first.`);
  }

  function requireScopes(scopes: readonly string[]): void {
    const more = scopes.find((scope) => !bounds.scopes.includes(scope));
    if (more !== undefined) throw forbidden(`The portal does not offer the scope ${more}.`);
  }

  function choosePlan(own: readonly RawKeyEntry[], asked: string | undefined): string | undefined {
    const current = ownPlan(own, plans);
    if (asked !== undefined && current !== undefined && asked !== current) {
      throw forbidden(`Your keys have the plan ${current}. All keys of a developer have the same plan.`);
    }
    if (asked !== undefined && current === undefined && !bounds.plans.includes(asked)) {
      throw forbidden(`The portal does not offer the plan ${asked}.`);
    }
    return current ?? asked ?? bounds.plans[0];
  }

  /** Gives the plan of a new key to the other keys of the owner: theirs may have been removed from the settings. */
  function withPlan(file: RawKeysFile, plan: string | undefined): RawKeysFile {
    const hasOther = (key: RawKeyEntry) =>
      key.owner === owner && !key.revoked_at && key.plan !== undefined && key.plan !== plan;
    return { ...file, keys: file.keys.map((key) => (hasOther(key) ? { ...key, plan } : key)) };
  }

  return {
    list,
    async create({ name: label, plan: asked, scopes = [] }) {
      requireScopes(scopes);
      const plan = choosePlan(await list(), asked);
      const wanted = {
        ...{ nowMs: clock(), name: `${tagOf(owner)}.${label}`, owner, prefix: keyPrefix, expiresAt: null },
        fields: { scopes: [...new Set(scopes)], ...(plan === undefined ? {} : { plan }) },
      };
      return change(
        (own) => {
          requireRoom(own, bounds.keys_max);
          if (choosePlan(own, asked) !== plan) throw new Problem('conflict', 'Your plan has just changed. Try again.');
        },
        (keys) => keys.create(wanted),
        (file) => withPlan(file, plan),
      );
    },
    rotate: (name, overlapMs) =>
      change(
        (own) => {
          requireScopes((requireKey(own, name).scopes ?? []) as readonly string[]);
          requireRoom(own, 2 * bounds.keys_max);
          requireRoomOf(own, name);
        },
        (keys) => keys.rotate(name, { nowMs: clock(), overlapMs }),
      ),
    async revoke(name) {
      await change(
        (own) => void requireKey(own, name),
        (keys) => keys.revoke(name),
      );
    },
  };
}

function requireKey(own: readonly RawKeyEntry[], name: string): RawKeyEntry {
  const entry = own.find((key) => key.name === name);
  if (entry === undefined) throw new Problem('not_found', 'You have no key of that name.');
  return entry;
}

/** Returns the plan of the owner of these keys, which outlives the last of them; undefined when it is none of `plans`. */
export function ownPlan(keys: readonly RawKeyEntry[], plans: readonly string[]): string | undefined {
  const planned = keys.filter(({ plan }) => plan !== undefined);
  const endOf = ({ revoked_at }: RawKeyEntry) => Date.parse(String(revoked_at)) || Number.POSITIVE_INFINITY;
  // An operator may have changed the plan after earlier keys were revoked.
  const latest = planned.reduce<RawKeyEntry | undefined>(
    (found, key) => (found === undefined || endOf(key) > endOf(found) ? key : found),
    undefined,
  );
  const plan = latest?.plan as string | undefined;
  // The plan of revoked keys may be gone.
  return plan !== undefined && plans.includes(plan) ? plan : undefined;
}

/** Returns the name of a key for its developer, without the part that makes it unique among all owners. */
export function labelOf({ name, owner }: RawKeyEntry): string {
  const prefix = `${tagOf(String(owner))}.`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** Names of keys are unique over all owners: those of a developer begin with this. */
function tagOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 12);
}

function forbidden(detail: string): Problem {
  return new Problem('operation_forbidden', detail);
}
