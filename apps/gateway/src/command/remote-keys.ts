import type { AuditEntry, KeyAdministration } from '@rostergate/access/key-store';
import type { RawKeyEntry } from '@rostergate/access/keys';
import { CommandFailure, exitCodes } from '@rostergate/config/command';

/** The environment variable with the key of the admin API. An option would show it in `ps`. */
export const adminKeyVariable = 'ROSTERGATE_ADMIN_KEY';

/** Returns the keys of a running gateway, by its admin API. */
export async function createRemoteKeys(url: string, key: string | undefined): Promise<KeyAdministration> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandFailure('--admin-url takes a URL such as http://127.0.0.1:9001.', exitCodes.usage);
  }
  if (!key) {
    const detail = `--admin-url needs a key with the scope admin in ${adminKeyVariable}.`;
    throw new CommandFailure(detail, exitCodes.usage);
  }
  const { ApiProblem, createAdminClient } = await import('@rostergate/admin-client');
  const client = createAdminClient({ baseUrl: url, key });

  async function call<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiProblem)) {
        const { cause, message } = error as Error;
        const { code = message } = (cause ?? {}) as { code?: string };
        throw new CommandFailure(`The admin API cannot be reached (${code}).`, exitCodes.failed, { cause: error });
      }
      const faults = error.errors.map(({ pointer = '', parameter = pointer, detail }) => `${parameter}: ${detail}`);
      const exitCode = error.status < 500 && error.status !== 429 ? exitCodes.invalid : exitCodes.failed;
      throw new CommandFailure([error.message, ...faults].join(' '), exitCode, { cause: error });
    }
  }

  return {
    place: url,
    async list() {
      const keys: RawKeyEntry[] = [];
      for (let after: string | undefined; ; ) {
        const query = { limit: 1000, ...(after === undefined ? {} : { after }) };
        const page = await call(() => client.listKeys({ query }));
        keys.push(...page.keys);
        if (page.next === undefined) return keys;
        after = page.next;
      }
    },
    async create({ name, owner, prefix, expiresAt, fields }) {
      const body = { name, owner, prefix, expires_at: expiresAt, ...fields };
      const { key, ...entry } = await call(() => client.createKey({ body: { scopes: [], ...body } }));
      return { key, entry };
    },
    async rotate(name, { overlapMs, expiresAt, prefix }) {
      const body = {
        overlap_seconds: Math.round(overlapMs / 1000),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(prefix === undefined ? {} : { prefix }),
      };
      const { key, replaces, ...entry } = await call(() => client.rotateKey({ path: { name }, body }));
      return { key, entry, oldExpiresAt: replaces.expires_at };
    },
    async revoke(name) {
      const { state } = await call(() => client.getKey({ path: { name } }));
      const entry = await call(() => client.revokeKey({ path: { name } }));
      return { entry, isRevokedNow: state !== 'revoked' };
    },
    async change(name, { plan, scopes }) {
      const body = {
        ...(plan === undefined ? {} : { plan }),
        ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      };
      return call(() => client.updateKey({ path: { name }, body }));
    },
    async audit(limit) {
      const { entries } = await call(() => client.listAuditEntries({ query: { limit: Math.min(limit, 1000) } }));
      return entries as readonly AuditEntry[];
    },
    close: async () => {},
  };
}
