import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ProgramResult, runProgram } from '../run-program.ts';
import { ToolFailure } from '../tool-failure.ts';
import { installedFile, toolFolder } from '../workspace.ts';

/** Of the release that openapitools.json pins: what is run with a developer's rights is what was reviewed. */
const jarSha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const lockStaleMs = 5 * 60_000;

/** Runs @openapitools/openapi-generator-cli, which fetches its jar at first use and needs no network after. */
export async function runGenerator(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ProgramResult> {
  await fetchJar(env);
  const result = await runWrapper(['generate', ...args], env);
  // The wrapper's exit code does not always tell; the generator's own words for a failure do.
  if (result.exitCode !== 0 || /\[main\] ERROR|^Exception in thread/m.test(result.output)) {
    throw new ToolFailure(`The generator failed.\n${withoutStack(result.output)}`);
  }
  return result;
}

/** Two tasks may start at once on a new clone: a folder is the lock, so that one of them fetches and the other waits. */
async function fetchJar(env: NodeJS.ProcessEnv): Promise<void> {
  const { version, storageDir } = loadPin();
  const storage = join(toolFolder, storageDir);
  const jar = join(storage, `${version}.jar`);
  const lock = join(storage, 'lock');
  mkdirSync(storage, { recursive: true });
  while (!takeLock(lock)) {
    if (isStale(lock)) rmSync(lock, { recursive: true, force: true });
    await setTimeout(200);
  }
  try {
    if (existsSync(jar)) return;
    console.log(`Fetching openapi-generator ${version} from Maven Central (32 MB, once) …`);
    const { output } = await runWrapper(['version'], env);
    if (!existsSync(jar)) {
      const [, cause = 'no reason given'] = /because of: "(.*?)"/.exec(output) ?? [];
      throw new ToolFailure(`It could not be fetched (${cause}). Mend the connection, or put the jar at ${jar}.`);
    }
    const sha256 = createHash('sha256').update(readFileSync(jar)).digest('hex');
    if (sha256 === jarSha256) return;
    rmSync(jar);
    throw new ToolFailure(`The jar of openapi-generator ${version} has the digest ${sha256}, not ${jarSha256}.`);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** What a person can act on: no progress, no frames of a stack, no more than a screen. */
function withoutStack(output: string): string {
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(at |\.\.\. \d|\[main\] (INFO|WARN))/.test(line));
  return lines.slice(0, 25).join('\n');
}

function runWrapper(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ProgramResult> {
  const wrapper = installedFile('@openapitools/openapi-generator-cli', 'main.js');
  return runProgram(process.execPath, [wrapper, ...args], { cwd: toolFolder, env });
}

function loadPin(): { version: string; storageDir: string } {
  const config = JSON.parse(readFileSync(join(toolFolder, 'openapitools.json'), 'utf8'));
  return config['generator-cli'];
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

function isStale(lock: string): boolean {
  return (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) < Date.now() - lockStaleMs;
}
