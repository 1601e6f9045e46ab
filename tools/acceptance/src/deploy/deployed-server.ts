import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerName } from '../start-server.ts';

export const deployFolder = fileURLToPath(new URL('../../../../deploy/', import.meta.url));

/** How one of the files in deploy/ starts a server. Paths are those of the machine or container it is meant for. */
export interface DeployedServer {
  readonly name: ServerName;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What it reads, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The folder of its keys and passwords. */
  readonly secretsFolder: string;
  /** What is asked to learn how it is. */
  readonly probes: readonly string[];
  /** How long it may take to end, in milliseconds. */
  readonly stopMs: number;
}

export interface Image {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly port: number;
  /** The program that tells how the container is. */
  readonly healthcheck: readonly string[];
}

export const readDeployFile = (...path: string[]): string => readFileSync(join(deployFolder, ...path), 'utf8');

/** What a Dockerfile leaves in the image. */
export function readImage(name: ServerName): Image {
  const lines = readDeployFile('docker', `${name}.Dockerfile`)
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const last = (word: string) => {
    const line = lines.findLast((each) => each.startsWith(`${word} `));
    if (line === undefined) throw new Error(`${name}.Dockerfile has no ${word}.`);
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

/** The files of a folder in deploy/, under the path where they are mounted. */
export function readMounted(folder: string, mountPath: string): Readonly<Record<string, string>> {
  const entries = readdirSync(join(deployFolder, folder)).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(entries.map((name) => [join(mountPath, name), readDeployFile(folder, basename(name))]));
}
