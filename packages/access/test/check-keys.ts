import { z } from 'zod';
import { parseKeysFile } from '../src/keys/keys-file.ts';

const name = z.string();
const time = z.string().nullable().optional();
const schema = z.object({
  keys: z.array(
    z.object({
      ...{ name, owner: name, prefix: name.optional(), sha256: z.string().regex(/^[0-9a-f]{64}$/) },
      ...{ scopes: z.array(name).optional(), plan: name.optional() },
      ...{ created_at: time, expires_at: time, revoked_at: time },
      // Of another kind of server.
      ...{
        account: name.optional(),
        operations: z.object({ allow: z.array(name).optional(), deny: z.array(name).optional() }).optional(),
      },
    }),
  ),
});

/** Checks keys as a server does. */
export const checkKeys = (text: string, path: string, plans?: readonly string[]): void =>
  void parseKeysFile(text, path, schema, plans);
