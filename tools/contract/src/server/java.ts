import { delimiter, join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { ToolFailure } from '../tool-failure.ts';

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
