import { type OpenApiDocument, withMembers, withSecurity } from '@rostergate/server';
import { findCorsFault } from '@rostergate/server/edge';
import { didYouMean } from '@rostergate/server/problem';

/** The setting `mcp` of a server, without its tools. */
export interface McpSettings {
  /** `key` for keys, `jwt:<name>` for the tokens of an issuer; empty for callers without a credential, too. */
  readonly auth: readonly string[];
  /** The public URL of `/mcp`, for tokens; empty without one. */
  readonly resource: string;
  /** Origins of pages that may call; `*` for any. */
  readonly origins: readonly string[];
  readonly timeout_ms: number;
  readonly result_bytes_max: number;
}

/** The parts of an issuer of tokens that `/mcp` depends on. */
export interface McpIssuer {
  readonly name: string;
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/** A fault of the setting, with its path below `mcp`. */
export interface McpFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** The credentials that `/mcp` accepts. */
export interface McpAuth {
  readonly requiresAuth: boolean;
  readonly acceptsKeys: boolean;
  /** Names of the issuers. */
  readonly issuers: readonly string[];
}

export function mcpAuthOf({ auth }: Pick<McpSettings, 'auth'>): McpAuth {
  return {
    requiresAuth: auth.length > 0,
    acceptsKeys: auth.includes('key'),
    issuers: auth.filter((way) => way !== 'key').map((way) => way.slice('jwt:'.length)),
  };
}

/** Returns the faults of the fields that depend on other settings. */
export function findSettingsFaults(mcp: McpSettings, issuers: readonly McpIssuer[]): McpFault[] {
  const faults: McpFault[] = [];
  const report = (path: readonly (string | number)[], detail: string) => faults.push({ path, detail });
  for (const name of mcpAuthOf(mcp).issuers) {
    const issuer = issuers.find((one) => one.name === name);
    if (issuer === undefined) {
      const known = issuers.map((one) => one.name);
      report(
        ['auth', mcp.auth.indexOf(`jwt:${name}`)],
        `names the issuer "${name}", which is not in jwt_issuers.${didYouMean(name, known)}`,
      );
    } else if (mcp.resource !== '' && !issuer.audiences.includes(mcp.resource)) {
      report(['resource'], `must be in the audiences of the issuer "${name}", because its tokens are meant for it`);
    }
  }
  if (mcpAuthOf(mcp).issuers.length > 0 && mcp.resource === '') {
    report(['resource'], 'must be the public URL of /mcp when auth contains an issuer');
  }
  for (const [i, origin] of mcp.origins.entries()) {
    const fault = findCorsFault({ origins: [origin] });
    if (fault !== undefined) report(['origins', i], fault.detail);
  }
  return faults;
}

/** The URL of the metadata of `/mcp` (RFC 9728 §3.1); undefined without `resource`. */
export function metadataUrlOf(mcp: Pick<McpSettings, 'resource'> | undefined): string | undefined {
  if (mcp === undefined || !URL.canParse(mcp.resource)) return undefined;
  return new URL('/.well-known/oauth-protected-resource/mcp', mcp.resource).href;
}

/**
 * Returns the document with the credentials of `/mcp`, and with the URL of its metadata.
 * @param security what `auth` means in this document
 */
export function withMcpSecurity(
  document: OpenApiDocument,
  mcp: McpSettings,
  security: Parameters<typeof withSecurity>[2],
): OpenApiDocument {
  if (!mcpAuthOf(mcp).requiresAuth) return document;
  const secured = withSecurity(document, new Set(['callMcp']), security);
  const url = metadataUrlOf(mcp);
  return url === undefined ? secured : withMembers(secured, new Map([['callMcp', { 'x-resource-metadata': url }]]));
}

/** Returns the document with the names of tools as `x-mcp-tools` of their operations. */
export function withToolNames(
  document: OpenApiDocument,
  tools: readonly { readonly operation_id: string; readonly name?: string | null | undefined }[],
): OpenApiDocument {
  const namesOf = new Map<string, string[]>();
  for (const { operation_id: id, name } of tools) namesOf.set(id, [...(namesOf.get(id) ?? []), name ?? id]);
  return withMembers(document, new Map([...namesOf].map(([id, names]) => [id, { 'x-mcp-tools': names }] as const)));
}
