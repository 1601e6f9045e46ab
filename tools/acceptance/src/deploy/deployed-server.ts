import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerName } from '../server-names.ts';

export const deployFolder = fileURLToPath(new URL('../../../../deploy/', import.meta.url));

/** The start of a server by a file of deploy/. Paths are those of the target machine or container. */
export interface DeployedServer {
  readonly name: ServerName;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Its configuration files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The folder of keys and passwords. */
  readonly secretsFolder: string;
  /** The path of the health check. */
  readonly probes: readonly string[];
  /** The time to stop, in milliseconds. */
  readonly stopMs: number;
}

export interface Image {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly port: number;
  /** The command of the health check. */
  readonly healthcheck: readonly string[];
}

export const readDeployFile = (...path: string[]): string => readFileSync(join(deployFolder, ...path), 'utf8');

/** Returns the image configuration of a Dockerfile. */
export function readImage(name: ServerName): Image {
  const lines = readDeployFile('docker', `${name}.Dockerfile`)
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const last = (word: string) => {
    const line = lines.findLast((each) => each.startsWith(`${word} `));
    if (line === undefined) throw new Error(`${name}.Dockerfile lacks ${word}.`);
    return line.slice(word.length + 1);
  };
  const listOf = (text: string): readonly string[] => JSON.parse(text.slice(text.indexOf('[')));
  if (last('ENTRYPOINT') !== '["node", "/app/dist/main.js"]')
    throw new Error(`${name}.Dockerfile starts another file.`);
  return {
    args: listOf(last('CMD')),
    env: Object.fromEntries(
      last('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    cwd: last('WORKDIR'),
    port: Number(last('EXPOSE')),
    healthcheck: listOf(last('HEALTHCHECK')),
  };
}

/** Returns the files of a folder in deploy/ by their mounted path. */
export function readMounted(folder: string, mountPath: string): Readonly<Record<string, string>> {
  const entries = readdirSync(join(deployFolder, folder)).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(entries.map((name) => [join(mountPath, name), readDeployFile(folder, basename(name))]));
}
