import { type Endpoint, issuerOf, type Settings } from '@rostergate/endpoints';
import { createTools } from '@rostergate/mcp';
import { findCorsFault } from '@rostergate/server/edge';
import { didYouMean } from '@rostergate/server/problem';
import { runInSlices } from '@rostergate/server/steps';
import { createServedDocumentSteps } from '../served-document.ts';
import { mcpAuthOf } from './mcp-settings.ts';

/** A fault of `mcp`, with its path in the settings. */
export interface McpFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** Returns the faults that depend on the endpoints and on other settings. */
export async function findMcpFaults(
  settings: Readonly<Settings>,
  endpoints: readonly Endpoint[],
): Promise<readonly McpFault[]> {
  const { mcp, jwt_issuers: issuers } = settings;
  if (mcp === undefined) return [];
  const faults: McpFault[] = [];
  const report = (path: readonly (string | number)[], detail: string) =>
    faults.push({ path: ['mcp', ...path], detail });
  for (const [i, way] of mcp.auth.entries()) {
    const name = issuerOf(way);
    if (name === undefined) continue;
    const issuer = issuers.find((one) => one.name === name);
    if (issuer === undefined) {
      const known = issuers.map((one) => one.name);
      report(['auth', i], `names the issuer "${name}", which is not in jwt_issuers.${didYouMean(name, known)}`);
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
  for (const [i, { operation_id }] of mcp.tools.entries()) {
    if (operation_id === 'callMcp') report(['tools', i, 'operation_id'], 'is /mcp itself: name another operation');
  }
  const document = await runInSlices(createServedDocumentSteps(settings, endpoints));
  const { faults: ofTools } = createTools(document, mcp.tools);
  for (const { path, detail } of ofTools) report(['tools', ...path], detail);
  return faults;
}
