import { type CallOptions, call, type TestResponse } from './call.ts';
import { type CommandOutcome, type RunOptions, runProgram } from './run-program.ts';
import { serverPrograms } from './server-programs.ts';
import {
  makeProxyFolder as makeFolder,
  type ProxyFolder,
  type ProxyOptions,
  type SpawnedProxy,
  spawnProxy,
} from './spawn-proxy.ts';
import { whenTestEnds } from './when-test-ends.ts';

export type { ProxyFolder, ProxyKeysFile, ProxyOptions } from './spawn-proxy.ts';

export interface ProxyProcess extends SpawnedProxy {
  /** Calls it; throws if its contract does not allow the response. */
  call(path: string, options?: CallOptions): Promise<TestResponse>;
  /** Calls it with a key. */
  callWith(key: string, path: string, options?: CallOptions): Promise<TestResponse>;
}

/** Creates a folder with a configuration; removed when the test ends. */
export const makeProxyFolder = (options: ProxyFolder, atEnd = whenTestEnds): Promise<string> =>
  makeFolder(options, atEnd);

/** Starts a staff proxy on a free port in a new folder; stopped when the test ends. */
export async function startProxy(options: ProxyOptions, atEnd = whenTestEnds): Promise<ProxyProcess> {
  const proxy = await spawnProxy(options, atEnd);
  const callProxy = (path: string, more?: CallOptions) => call('staff-proxy', path, { baseUrl: proxy.url, ...more });
  return {
    ...proxy,
    call: callProxy,
    callWith: (key, path, more = {}) => callProxy(path, { ...more, headers: { 'X-API-Key': key, ...more.headers } }),
  };
}

/** Runs the `rostergate-staff-proxy` command until it exits. */
export const runProxyCommand = (args: readonly string[], options: RunOptions): Promise<CommandOutcome> =>
  runProgram(serverPrograms['staff-proxy'].file, args, options);
