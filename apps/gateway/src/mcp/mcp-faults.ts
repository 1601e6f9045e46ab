import type { Endpoint, Settings } from '@rostergate/endpoints';
import { createTools, findSettingsFaults, type McpFault } from '@rostergate/mcp';
import { createDeclaredPathsSteps } from '@rostergate/server';
import { runInSlices, type Steps } from '@rostergate/server/steps';
import { createServedDocumentSteps } from '../served-document.ts';

/** Returns the faults of `mcp` that depend on the endpoints and on other settings, with their paths in the settings. */
export async function findMcpFaults(
  settings: Readonly<Settings>,
  endpoints: readonly Endpoint[],
): Promise<readonly McpFault[]> {
  const faults = await runInSlices(findMcpFaultsSteps(settings, endpoints));
  return faults.map(({ path, detail }) => ({ path: ['mcp', ...path], detail }));
}

/** Does the same in steps, one endpoint each: the current configuration serves requests between them. */
function* findMcpFaultsSteps(settings: Readonly<Settings>, endpoints: readonly Endpoint[]): Steps<McpFault[]> {
  const { mcp, jwt_issuers: issuers } = settings;
  if (mcp === undefined) return [];
  const faults = findSettingsFaults(mcp, issuers);
  for (const [i, { operation_id }] of mcp.tools.entries()) {
    if (operation_id !== 'callMcp') continue;
    faults.push({ path: ['tools', i, 'operation_id'], detail: 'is /mcp itself: name another operation' });
  }
  const document = yield* createServedDocumentSteps(settings, endpoints);
  const paths = yield* createDeclaredPathsSteps(document);
  const { faults: ofTools } = createTools(
    document,
    mcp.tools,
    paths.flatMap(({ routes }) => routes),
  );
  return [...faults, ...ofTools.map(({ path, detail }) => ({ path: ['tools', ...path], detail }))];
}
