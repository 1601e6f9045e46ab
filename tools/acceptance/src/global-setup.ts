import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { document as gatewayDocument } from '@rostergate/gateway-spec';
import { proxyDocument, document as staffDocument } from '@rostergate/staff-spec';
import type { TestProject } from 'vitest/node';
import { readAnswerLog, summariseAnswers } from './answer-log.ts';
import type { OpenApiDocument } from './contract-paths.ts';
import { createDatabase } from './database.ts';
import { type RunningServers, startServers } from './start-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly servers: RunningServers;
    /** Where it is kept what the contracts say of the answers. */
    readonly answersFolder: string;
  }
}

/** One set of servers for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const database = await createDatabase();
  const { stop, ...servers } = await startServers(database.env).catch(async (error: unknown) => {
    await database.drop();
    throw error;
  });
  project.provide('servers', servers);
  const answersFolder = await mkdtemp(join(tmpdir(), 'rostergate-answers-'));
  project.provide('answersFolder', answersFolder);
  return async () => {
    await stop();
    await database.drop();
    const { lines, faults } = summariseAnswers(readAnswerLog(answersFolder), documents);
    await rm(answersFolder, { recursive: true });
    for (const line of lines) console.log(line);
    // A test may have caught what its call threw; the run fails all the same.
    if (faults.length > 0) throw new Error(`Answers that no contract allows:\n  ${faults.join('\n  ')}`);
  };
}

const documents = {
  gateway: gatewayDocument as OpenApiDocument,
  'staff-proxy': proxyDocument as OpenApiDocument,
  scheduling: staffDocument as OpenApiDocument,
};
