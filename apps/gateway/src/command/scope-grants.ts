import { CommandFailure, exitCodes } from '@rostergate/runtime/command';
import { type KeyGrants, parseNames, quoteShort } from '@rostergate/runtime/keys-command';

/** What a key of the gateway may do: its scopes. */
export function createScopeGrants(accepts: (fields: object) => boolean): KeyGrants {
  return {
    options: [{ flags: '--scope <scope...>', description: 'what the key may do; may be repeated' }],
    toFields: ({ scope = [] }) => ({ scopes: parseScopes(scope as readonly string[], accepts) }),
    toJson: ({ scopes = [] }) => ({ scopes }),
    columns: [{ title: 'SCOPES', of: ({ scopes = [] }) => (scopes as readonly string[]).join(' ') }],
    keptByRotation: 'owner and scopes',
  };
}

function parseScopes(given: readonly string[], accepts: (fields: object) => boolean): string[] {
  const scopes = parseNames(given);
  const wrong = scopes.find((scope) => !/^[\x21-\x7e]+$/.test(scope) || !accepts({ scopes: [scope] }));
  if (wrong === undefined) return scopes;
  throw new CommandFailure(
    `--scope takes up to 128 signs without blanks, such as reports:read; not ${quoteShort(wrong)}.`,
    exitCodes.usage,
  );
}
