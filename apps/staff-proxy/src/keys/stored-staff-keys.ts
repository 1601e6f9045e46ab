import type { KeyKind } from '@rostergate/access/key-store';
import { digestOn, type KeyRecord, type SharedKeys } from '@rostergate/access/keys';
import { Problem } from '@rostergate/server/problem';
import { checkKeyOperations } from './key-operations.ts';
import { type KeyRules, rightsOf, type ServiceAccount } from './keys-file.ts';
import { type KeyGrants, keyGrantsSchema } from './keys-file-schema.ts';
import type { ProxyKeys, StaffKey } from './proxy-keys.ts';

/** The keys of staff proxies in a key store. */
export const proxyKeyKind: KeyKind = {
  prefix: 'proxy_',
  attributes: Object.keys(keyGrantsSchema.shape),
  accepts: (attributes) => parseGrants(attributes) !== undefined,
};

const known = new Map<string, KeyGrants | undefined>();
const knownMax = 1_000;

/** Returns the grants of a stored key; undefined for invalid ones. Most keys have the same ones. */
function parseGrants(attributes: string): KeyGrants | undefined {
  if (known.has(attributes)) return known.get(attributes);
  if (known.size >= knownMax) known.clear();
  const { data } = keyGrantsSchema.safeParse(parseJson(attributes));
  const grants = data === undefined || checkKeyOperations(data).length > 0 ? undefined : data;
  known.set(attributes, grants);
  return grants;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface StoredStaffKeysOptions extends Pick<KeyRules, 'upstreamForm'> {
  /** The keys of the keys file. Those of the store win. */
  readonly local: readonly StaffKey[];
  readonly stored: SharedKeys;
  readonly accounts: ReadonlyMap<string, ServiceAccount>;
  /** Called once for each account that a presented key names and the keys file lacks, or has for another company only. */
  readonly onUnusable: (account: string) => void;
}

/** Returns the keys of a configuration and of a key store. */
export function createStoredStaffKeys(options: StoredStaffKeysOptions): ProxyKeys {
  const { local, stored, accounts, upstreamForm, onUnusable } = options;
  const byDigest = new Map(local.map((key) => [key.sha256, key]));
  // One principal for each record, so that a request creates none.
  const staffKeys = new WeakMap<KeyRecord, StaffKey>();
  const reported = new Set<string>();

  function toStaffKey(record: KeyRecord): StaffKey {
    const grants = parseGrants(record.attributes ?? '') as KeyGrants;
    const account = accounts.get(grants.account);
    const { company_key: company = account?.companyKey } = grants;
    if (account === undefined || (upstreamForm === 'contract' && company !== account.companyKey)) {
      if (!reported.has(grants.account)) onUnusable(grants.account);
      reported.add(grants.account);
      throw new Problem('key_invalid', 'This proxy lacks the service account of the key. Ask its operator to add it.', {
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      });
    }
    const rights = rightsOf(grants, account);
    // Only responses in the vendor's form are converted.
    return Object.freeze({ ...record, ...rights, ...(upstreamForm === 'contract' && { keepsUnknownMembers: false }) });
  }

  function findByDigest(sha256: string): StaffKey | undefined {
    const own = byDigest.get(sha256);
    const record = stored.find(sha256, own);
    if (record === undefined || record === own) return own;
    const key = staffKeys.get(record) ?? toStaffKey(record);
    staffKeys.set(record, key);
    return key;
  }

  return Object.freeze({
    find: (key: string, connection?: object) => findByDigest(digestOn(connection, key)),
    findByDigest,
  });
}
