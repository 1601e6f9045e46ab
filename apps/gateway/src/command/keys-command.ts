import {
  createFileKeyStore,
  createKeysCommand as createKeysCommandOf,
  type KeyGrants,
  openKeyStore,
  parseNames,
  planChange,
  planColumn,
  planOption,
  quoteShort,
} from '@rostergate/access/keys-command';
import { CommandFailure, exitCodes } from '@rostergate/config/command';
import { type Command, Option } from 'commander';
import { keysFileSchema, readKeysFile } from '../sources/read-keys.ts';
import { type CommandContext, configOption } from './command-context.ts';
import { keysFileOf } from './configuration-paths.ts';
import { adminKeyVariable, createRemoteKeys } from './remote-keys.ts';

/** `rostergate keys`: manages the keys in keys.json. */
export function createKeysCommand(context: CommandContext): Command {
  const { terminal, clock, random } = context;
  return createKeysCommandOf({
    terminal,
    clock,
    random,
    program: 'rostergate',
    server: 'gateway',
    file: 'keys.json, or in the key store if key_store_url names one',
    fileOptions: () => [configOption(), ...adminOptions()],
    async remoteOf({ adminUrl, allowHttp }) {
      if (adminUrl === undefined) return undefined;
      return createRemoteKeys({
        url: String(adminUrl),
        key: context.env[adminKeyVariable],
        allowsHttp: allowHttp === true,
      });
    },
    storeOf({ config }) {
      const { path, settings } = keysFileOf(context, config as string | undefined);
      const plans = Object.keys(settings.plans);
      const check = (text: string, file: string) => void readKeysFile(text, file, plans);
      return settings.key_store_url === '' ? createFileKeyStore({ path, check }) : openKeyStore(settings, check);
    },
    hasAudit: true,
    accepts,
    keyPrefix: 'rg',
    grants,
  });
}

function adminOptions(): Option[] {
  const description = `change the keys of the gateway with this admin API; the key is in ${adminKeyVariable}`;
  return [
    new Option('--admin-url <url>', description),
    new Option('--allow-http', 'send that key unencrypted to another machine'),
  ];
}

/** Returns whether these fields are valid in keys.json. */
function accepts(fields: object): boolean {
  return keysFileSchema().safeParse({ keys: [{ name: 'a', owner: 'a', sha256: '0'.repeat(64), ...fields }] }).success;
}

/** The options and columns for the scopes and the plan of a key. */
const grants: KeyGrants = {
  options: [{ flags: '--scope <scope...>', description: 'a scope of the key; repeatable' }, planOption],
  toFields: ({ scope = [], plan }) => ({
    scopes: parseScopes(scope as readonly string[]),
    ...(plan === undefined ? {} : { plan }),
  }),
  toJson: ({ scopes = [], plan }) => ({ scopes, ...(plan === undefined ? {} : { plan }) }),
  columns: [{ title: 'SCOPES', of: ({ scopes = [] }) => (scopes as readonly string[]).join(' ') }, planColumn],
  changes: [
    planChange,
    {
      action: 'scopes',
      summary: 'Change the scopes of a key',
      description: 'Replaces the scopes of a key; without any, it has none.',
      argument: ['[scope...]', 'the scopes of the key from now on'],
      toChange: (scopes) => ({ scopes: parseScopes(scopes as readonly string[]) }),
    },
  ],
  inheritedByRotation: 'owner, scopes and plan',
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
