import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDatabase, createFile, type OwnDatabase } from '../../database.ts';
import type { CommandOutcome } from '../../run-program.ts';
import { runScheduling } from '../../scheduling-process.ts';

export interface OwnFolder {
  readonly folder: string;
  readonly database: OwnDatabase;
  /** Runs the command in the folder, on its database. */
  run(args: readonly string[], input?: string): Promise<CommandOutcome>;
  /** The same; returns the parsed JSON output, and throws when the command fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it expects.
  runJson(args: readonly string[], input?: string): Promise<any>;
  write(path: string, text: string): Promise<void>;
}

/** Creates a folder with a database, removed when the test ends; `isFile` forces SQLite. */
export async function makeOwnFolder({ isFile = false } = {}): Promise<OwnFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-commands-'));
  const database = isFile ? await createFile() : await createDatabase();
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  });
  const run = (args: readonly string[], input = '') =>
    runScheduling(args, { cwd: folder, env: { ...database.env }, input });
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
