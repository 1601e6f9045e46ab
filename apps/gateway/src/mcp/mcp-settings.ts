import { type Endpoint, issuerOf, type Mcp } from '@rostergate/endpoints';

/** The credentials that `/mcp` accepts. */
export function mcpAuthOf({ auth }: Mcp): Pick<Endpoint, 'requiresAuth' | 'acceptsKeys' | 'issuers'> {
  return {
    requiresAuth: auth.length > 0,
    acceptsKeys: auth.includes('key'),
    issuers: auth.flatMap((way) => issuerOf(way) ?? []),
  };
}

/** The URL of the metadata of `/mcp` (RFC 9728 §3.1); undefined without `resource`. */
export function metadataUrlOf(mcp: Mcp | undefined): string | undefined {
  if (mcp === undefined || !URL.canParse(mcp.resource)) return undefined;
  return new URL('/.well-known/oauth-protected-resource/mcp', mcp.resource).href;
}
