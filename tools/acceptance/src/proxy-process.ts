import { type Answer, type CallOptions, call } from './call.ts';
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
  /** Calls it; throws unless the contract that it serves allows the answer. */
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** The same with a key. */
  callWith(key: string, path: string, options?: CallOptions): Promise<Answer>;
}

/** Makes a folder with a configuration, removed when the test ends. */
export const makeProxyFolder = (options: ProxyFolder, atEnd = whenTestEnds): Promise<string> =>
  makeFolder(options, atEnd);

/** Starts a staff proxy of its own on a free port, in a folder of its own; ended when the test ends. */
export async function startProxy(options: ProxyOptions, atEnd = whenTestEnds): Promise<ProxyProcess> {
  const proxy = await spawnProxy(options, atEnd);
  const callProxy = (path: string, more?: CallOptions) => call('staff-proxy', path, { baseUrl: proxy.url, ...more });
  return {
    ...proxy,
    call: callProxy,
    callWith: (key, path, more = {}) => callProxy(path, { ...more, headers: { 'X-API-Key': key, ...more.headers } }),
  };
}

/** Runs the `rostergate-staff-proxy` command to its end. */
export const runProxyCommand = (args: readonly string[], options: RunOptions): Promise<CommandOutcome> =>
  runProgram(serverPrograms['staff-proxy'].file, args, options);
