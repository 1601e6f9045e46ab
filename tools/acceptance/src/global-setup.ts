import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { contracts } from './contracts.ts';
import { createDatabase } from './database.ts';
import { countDeclared } from './declared-responses.ts';
import { type LoggedResponse, listFaults, readResponseLog } from './response-log.ts';
import { type RunningServers, startServers } from './start-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly servers: RunningServers;
    /** The folder of the response logs. */
    readonly responsesFolder: string;
  }
}

/** Starts one set of servers for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const database = await createDatabase();
  const { stop, ...servers } = await startServers(database.env).catch(async (error: unknown) => {
    await database.drop();
    throw error;
  });
  project.provide('servers', servers);
  const responsesFolder = await mkdtemp(join(tmpdir(), 'rostergate-responses-'));
  project.provide('responsesFolder', responsesFolder);
  return async () => {
    await stop();
    await database.drop();
    const responses = readResponseLog(responsesFolder);
    await rm(responsesFolder, { recursive: true });
    await storeForCi(responses);
    const { lines } = countDeclared(responses, contracts);
    for (const line of lines) console.log(line);
    const faults = listFaults(responses);
    // A test may have caught the error of its call; the run fails nevertheless.
    if (faults.length > 0) throw new Error(`Responses that no contract allows:\n  ${faults.join('\n  ')}`);
  };
}

/** Stores the responses for .ci/run, which counts those of all stages together. */
async function storeForCi(responses: readonly LoggedResponse[]): Promise<void> {
  const folder = join(import.meta.dirname, '../.run');
  await mkdir(folder, { recursive: true });
  const lines = responses.map((response) => `${JSON.stringify(response)}\n`);
  await writeFile(join(folder, `${process.env.TEST_WITH ?? 'npm'}.responses.jsonl`), lines.join(''));
}
