import type { TestProject } from 'vitest/node';
import { createDatabase } from './database.ts';
import { type RunningServers, startServers } from './start-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly servers: RunningServers;
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
  return async () => {
    await stop();
    await database.drop();
  };
}
