import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ProgramResult, runProgram } from '../run-program.ts';
import { installedFile, ToolFailure, toolFolder } from '../workspace.ts';

/** Digest of the release in openapitools.json. The jar runs with the rights of the developer. */
const jarSha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';

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

/** Downloads the jar on first use and checks its digest. Only one task at a time generates stubs (turbo.json). */
async function fetchJar(env: NodeJS.ProcessEnv): Promise<void> {
  const { version, storageDir } = loadPin();
  const jar = join(toolFolder, storageDir, `${version}.jar`);
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

const oldestMajor = 11;
const remedy =
  `Server stubs need Java ${oldestMajor} or later: install one (Debian: apt-get install default-jre-headless) ` +
  'or point JAVA_HOME at it, then run `pnpm generate` again.';

/** Returns an environment whose `java` can run the generator. Throws when there is none. */
export async function findJava(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const home = env.JAVA_HOME || undefined;
  const path = home === undefined ? env.PATH : [join(home, 'bin'), env.PATH].join(delimiter);
  const java = home === undefined ? 'java' : join(home, 'bin', 'java');
  const major = parseJavaMajor(await versionOf(java, env));
  if (major === null)
    throw new ToolFailure(`${home === undefined ? 'No Java on PATH.' : `No Java in ${home}.`} ${remedy}`);
  if (major < oldestMajor) throw new ToolFailure(`Java ${major} is too old. ${remedy}`);
  return { ...env, PATH: path };
}

/** Returns the major version from the output of `java -version`. `1.8.0` is 8. */
export function parseJavaMajor(output: string): number | null {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(output) ?? [];
  if (first === undefined) return null;
  return first === '1' ? Number(second) : Number(first);
}

async function versionOf(java: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await runProgram(java, ['-version'], { cwd: process.cwd(), env })).output;
  } catch {
    return '';
  }
}
