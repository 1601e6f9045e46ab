import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicPackages } from '../manifests/public-packages.ts';
import { outsideEnv, pnpm, rehearsalAuthor, runCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

export interface PublishingOptions {
  /** An empty folder that serves as the home folder. */
  readonly home: string;
  readonly registry: string;
}

/** Publishes the packages of a copy with the release command, to a registry without authentication. */
export async function publishWorkspace(copy: string, { home, registry }: PublishingOptions): Promise<string> {
  await mkdir(home, { recursive: true });
  // Publishing requires a token. The user's own tokens are out of reach.
  const npmrc = `registry=${registry}\n//${new URL(registry).host}/:_authToken=anybody\n`;
  await writeFile(join(home, '.npmrc'), npmrc);
  await writeFile(join(copy, '.npmrc'), npmrc);
  const env = {
    ...outsideEnv(),
    ...rehearsalAuthor,
    HOME: home,
    npm_config_userconfig: join(home, '.npmrc'),
    npm_config_registry: registry,
    PNPM_CONFIG_REGISTRY: registry,
  };
  await runCommand(pnpm, ['run', 'release:publish', '--no-provenance'], { cwd: copy, env });
  const tags = (await runCommand('git', ['tag', '--points-at', 'HEAD'], { cwd: copy })).split('\n').filter(Boolean);
  const untagged = Object.keys(publicPackages).filter((name) => !tags.some((tag) => tag.startsWith(`${name}@`)));
  if (untagged.length > 0) throw new RehearsalFault(`No tag for ${untagged.join(', ')}: not published.`);
  return `${tags.length} packages, all tagged`;
}
