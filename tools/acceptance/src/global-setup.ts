import type { TestProject } from 'vitest/node';
import { type RunningServers, startServers } from './start-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly servers: RunningServers;
  }
}

/** One set of servers for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...servers } = await startServers();
  project.provide('servers', servers);
  return stop;
}
