import { createKeysCommand as createKeysCommandOf } from '@rostergate/runtime/keys-command';
import type { Command } from 'commander';
import { keysFileSchema, readKeysFile } from '../keys-file.ts';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';
import { keysFileOf } from './configuration-paths.ts';
import { createScopeGrants } from './scope-grants.ts';

/** `rostergate keys …`: the keys in keys.json. */
export function createKeysCommand(context: CommandContext): Command {
  const { terminal, clock, random } = context;
  return createKeysCommandOf({
    terminal,
    clock,
    random,
    program: 'rostergate',
    server: 'gateway',
    file: 'keys.json',
    fileOptions: () => [configOption()],
    storeOf: ({ config }) => ({ path: keysFileOf(context, config as string | undefined), check: readKeysFile }),
    accepts,
    keyPrefix: 'rg',
    grants: createScopeGrants(accepts),
  });
}

/** Whether keys.json may hold these fields, by the schema of that file. */
function accepts(fields: object): boolean {
  return keysFileSchema.safeParse({ keys: [{ name: 'a', owner: 'a', sha256: '0'.repeat(64), ...fields }] }).success;
}
