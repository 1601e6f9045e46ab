import { type CallOptions, call, forgetContract, type TestResponse } from './call.ts';
import { type CommandOutcome, type RunOptions, runProgram } from './run-program.ts';
import { serverPrograms } from './server-programs.ts';
import {
  type GatewayFolder,
  type GatewayOptions,
  goodKey,
  makeGatewayFolder as makeFolder,
  type SpawnedGateway,
  spawnGateway,
} from './spawn-gateway.ts';
import { whenTestEnds } from './when-test-ends.ts';

export { type GatewayOptions, goodKey };
export const withKey = { headers: { 'X-API-Key': goodKey } };

export interface GatewayProcess extends SpawnedGateway {
  /** Calls it; throws if its served contract does not allow the response. */
  call(path: string, options?: CallOptions): Promise<TestResponse>;
}

/** Creates a folder with a configuration; removed when the test ends. */
export const makeGatewayFolder = (options: GatewayFolder): Promise<string> => makeFolder(options, whenTestEnds);

/** Starts a gateway on a free port in a new folder; by default stopped when the test ends. */
export async function startGateway(options: GatewayOptions = {}, atEnd = whenTestEnds): Promise<GatewayProcess> {
  return toGatewayProcess(await spawnGateway(options, atEnd));
}

/** Adds calls to a gateway whose configuration is new. */
export function toGatewayProcess(gateway: SpawnedGateway): GatewayProcess {
  const { url } = gateway;
  // An earlier server may have used the port.
  forgetContract(url);
  return {
    ...gateway,
    call: (path, more) => call('gateway', path, { baseUrl: url, ...more }),
    write: async (path, content) => {
      await gateway.write(path, content);
      forgetContract(url);
    },
  };
}

/** Runs the `rostergate` command until it exits. */
export const runCommand = (args: readonly string[], options: RunOptions): Promise<CommandOutcome> =>
  runProgram(serverPrograms.gateway.file, args, options);
