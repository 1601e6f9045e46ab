import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../at-end.ts';
import { createDatabase, createFile, type OwnDatabase } from '../../database.ts';
import type { CommandOutcome } from '../../run-program.ts';
import { runScheduling } from '../../scheduling-process.ts';
import { whenTestEnds } from '../../when-test-ends.ts';

export interface OwnFolder {
  readonly folder: string;
  readonly database: OwnDatabase;
  /** Runs the command in the folder, on its database. */
  run(args: readonly string[], input?: string, env?: Readonly<Record<string, string>>): Promise<CommandOutcome>;
  /** The same; returns the parsed JSON output, and throws when the command fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it expects.
  runJson(args: readonly string[], input?: string): Promise<any>;
  write(path: string, text: string): Promise<void>;
}

/** Creates a folder with a database, removed at the end; `isFile` forces SQLite. */
export async function makeOwnFolder({ isFile = false, atEnd = whenTestEnds } = {}): Promise<OwnFolder> {
  const folder = await makeTemporaryFolder('rostergate-commands-', atEnd);
  const database = isFile ? await createFile() : await createDatabase();
  atEnd(database.drop);
  const run = (args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) =>
    runScheduling(args, { cwd: folder, env: { ...database.env, ...env }, input, atEnd });
  return {
    folder,
    database,
    run,
    async runJson(args, input) {
      const { exitCode, stdout, stderr } = await run([...args, '--json'], input);
      if (exitCode !== 0) throw new Error(`It ended with ${exitCode}:\n${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    write: (path, text) => writeFile(join(folder, path), text),
  };
}
