import {
  createKeysCommand as createKeysCommandOf,
  type KeyGrants,
  parseNames,
  quoteShort,
} from '@rostergate/access/keys-command';
import { CommandFailure, exitCodes } from '@rostergate/config/command';
import type { Command } from 'commander';
import { keysFileSchema, readKeysFile } from '../sources/read-keys.ts';
import { type CommandContext, configOption } from './command-context.ts';
import { keysFileOf } from './configuration-paths.ts';

/** `rostergate keys`: manages the keys in keys.json. */
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
    grants: scopeGrants,
  });
}

/** Returns whether these fields are valid in keys.json. */
function accepts(fields: object): boolean {
  return keysFileSchema.safeParse({ keys: [{ name: 'a', owner: 'a', sha256: '0'.repeat(64), ...fields }] }).success;
}

/** The option and the column for the scopes of a key. */
const scopeGrants: KeyGrants = {
  options: [{ flags: '--scope <scope...>', description: 'a scope of the key; repeatable' }],
  toFields: ({ scope = [] }) => ({ scopes: parseScopes(scope as readonly string[]) }),
  toJson: ({ scopes = [] }) => ({ scopes }),
  columns: [{ title: 'SCOPES', of: ({ scopes = [] }) => (scopes as readonly string[]).join(' ') }],
  inheritedByRotation: 'owner and scopes',
};

function parseScopes(given: readonly string[]): string[] {
  const scopes = parseNames(given);
  const wrong = scopes.find((scope) => !/^[\x21-\x7e]+$/.test(scope) || !accepts({ scopes: [scope] }));
  if (wrong === undefined) return scopes;
  throw new CommandFailure(
    `--scope takes up to 128 characters without spaces, such as reports:read, not ${quoteShort(wrong)}.`,
    exitCodes.usage,
  );
}
