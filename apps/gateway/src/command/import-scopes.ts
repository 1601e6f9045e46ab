import { CommandFailure, exitCodes } from '@rostergate/runtime/command';

/** By tag the scopes of `--scope orders=orders:read,orders:write --scope '*=api'`. */
export function parseTagScopes(given: readonly string[]): Record<string, readonly string[]> {
  const scopes = new Map<string, string[]>();
  for (const text of given) {
    // A tag may hold anything, so the last equals sign parts it from its scopes, which hold none.
    const at = text.lastIndexOf('=');
    const names = text
      .slice(at + 1)
      .split(',')
      .filter((name) => name !== '');
    if (at < 1 || names.length === 0) {
      throw new CommandFailure(
        `--scope takes a tag and its scopes, such as orders=orders:read,orders:write; not ${JSON.stringify(text)}.`,
        exitCodes.usage,
      );
    }
    const tag = text.slice(0, at);
    scopes.set(tag, [...new Set([...(scopes.get(tag) ?? []), ...names])]);
  }
  return Object.fromEntries(scopes);
}
