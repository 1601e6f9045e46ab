import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type LoggedAnswer, listFaults, readAnswerLog } from './answer-log.ts';
import { contracts } from './contracts.ts';
import { createDatabase } from './database.ts';
import { countDeclared } from './declared-responses.ts';
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
    const answers = readAnswerLog(answersFolder);
    await rm(answersFolder, { recursive: true });
    await keepForCi(answers);
    const { lines } = countDeclared(answers, contracts);
    for (const line of lines) console.log(line);
    const faults = listFaults(answers);
    // A test may have caught what its call threw; the run fails all the same.
    if (faults.length > 0) throw new Error(`Answers that no contract allows:\n  ${faults.join('\n  ')}`);
  };
}

/** Of a whole run no stage sees every declared response: those of all stages are counted together when they have run. */
async function keepForCi(answers: readonly LoggedAnswer[]): Promise<void> {
  const folder = join(import.meta.dirname, '../.run');
  await mkdir(folder, { recursive: true });
  const lines = answers.map((answer) => `${JSON.stringify(answer)}\n`);
  await writeFile(join(folder, `${process.env.TEST_WITH ?? 'npm'}.answers.jsonl`), lines.join(''));
}
