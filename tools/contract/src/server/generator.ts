import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ProgramResult, runProgram } from '../run-program.ts';
import { ToolFailure } from '../tool-failure.ts';
import { installedFile, toolFolder } from '../workspace.ts';

/** Digest of the release in openapitools.json. The jar runs with the rights of the developer. */
const jarSha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const lockStaleMs = 5 * 60_000;

/** Runs @openapitools/openapi-generator-cli. It downloads its jar on first use. */
export async function runGenerator(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ProgramResult> {
  await fetchJar(env);
  const result = await runWrapper(['generate', ...args], env);
  // The exit code of the wrapper is not reliable, so the output is checked for errors.
  if (result.exitCode !== 0 || /\[main\] ERROR|^Exception in thread/m.test(result.output)) {
    throw new ToolFailure(`The generator failed.\n${withoutStack(result.output)}`);
  }
  return result;
}

/** Downloads the jar. A folder is the lock between two tasks that start at the same time. */
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
    console.log(`Downloading openapi-generator ${version} from Maven Central (32 MB, once) …`);
    const { output } = await runWrapper(['version'], env);
    if (!existsSync(jar)) {
      const [, cause = 'no reason given'] = /because of: "(.*?)"/.exec(output) ?? [];
      throw new ToolFailure(`The download failed (${cause}). Check the connection, or put the jar at ${jar}.`);
    }
    const sha256 = createHash('sha256').update(readFileSync(jar)).digest('hex');
    if (sha256 === jarSha256) return;
    rmSync(jar);
    throw new ToolFailure(
      `The jar of openapi-generator ${version} has the wrong digest ${sha256}, expected ${jarSha256}. It was deleted: try again.`,
    );
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Returns the error messages of the output, without progress and stack frames, up to 25 lines. */
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
