import { inject } from 'vitest';
import { type CallOptions, call, type TestResponse } from './call.ts';
import { createDatabase, type OwnDatabase } from './database.ts';
import { type CommandOutcome, type RunOptions, runProgram } from './run-program.ts';
import { lowCostScheduling } from './server-programs.ts';
import { type SpawnedScheduling, spawnScheduling } from './spawn-scheduling.ts';
import { logins, type Role } from './staff/callers.ts';

export interface SchedulingOptions {
  /** Survives the server; by default the server gets a new database, dropped when it stops. */
  readonly database?: OwnDatabase;
  /** `ROSTERGATE_SCHEDULING_…`; by default the accounts and demo companies of the shared servers. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments after `serve`. */
  readonly args?: readonly string[];
  /** Its main file; by default that with a low cost of passwords. */
  readonly program?: string;
}

export interface SchedulingProcess extends SpawnedScheduling {
  /** The settings of the process, for commands on the same database. */
  readonly env: Readonly<Record<string, string>>;
  /** Calls it; throws if the contract does not allow the response. */
  call(path: string, options?: CallOptions): Promise<TestResponse>;
  /** Calls it with the token of an account, which is logged in once. */
  callAs(role: Role, path: string, options?: CallOptions): Promise<TestResponse>;
}

/** Starts a separate scheduling server on a free port. The caller stops it. */
export async function startScheduling(options: SchedulingOptions = {}): Promise<SchedulingProcess> {
  const database = options.database ?? (await createDatabase());
  const { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE = '' } = inject('servers').env;
  const env = {
    ROSTERGATE_SCHEDULING_ACCOUNTS_FILE,
    ROSTERGATE_SCHEDULING_SEED: 'demo',
    ...database.env,
    ROSTERGATE_SCHEDULING_PORT: '0',
    ...options.env,
  };
  const drop = async () => {
    if (options.database === undefined) await database.drop();
  };
  const server = await spawnScheduling(env, options.args, options.program).catch(async (error: unknown) => {
    await drop();
    throw error;
  });
  const { url } = server;
  const tokens: Partial<Record<Role, Promise<string>>> = {};
  const logIn = async (role: Role): Promise<string> =>
    (await call('scheduling', '/v2/login', { method: 'POST', json: logins[role], baseUrl: url })).body.access_token;
  return {
    ...server,
    async stop() {
      const exitCode = await server.stop();
      await drop();
      return exitCode;
    },
    env,
    call: (path, more) => call('scheduling', path, { baseUrl: url, ...more }),
    async callAs(role, path, more = {}) {
      tokens[role] ??= logIn(role);
      const headers = { Authorization: `Bearer ${await tokens[role]}`, ...more.headers };
      return call('scheduling', path, { baseUrl: url, ...more, headers });
    },
  };
}

/** Runs the `rostergate-scheduling` command until it exits. */
export const runScheduling = (args: readonly string[], options: RunOptions): Promise<CommandOutcome> =>
  runProgram(lowCostScheduling, args, options);
