import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicPackages } from '../manifests/public-packages.ts';
import { outsideEnv, pnpm, rehearsalAuthor, runCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

export interface PublishingOptions {
  /** An empty folder, for what programs look up of their user. */
  readonly home: string;
  readonly registry: string;
}

/** Publishes the packages of a copy by the command that releases them, to a registry that takes them from anybody. */
export async function publishWorkspace(copy: string, { home, registry }: PublishingOptions): Promise<string> {
  await mkdir(home, { recursive: true });
  // Nothing is published before its registry has a token; and whatever goes wrong, no token of the user's is at hand.
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
  if (untagged.length > 0) throw new RehearsalFault(`No tag says that this was published: ${untagged.join(', ')}.`);
  return `${tags.length} packages, each with its tag`;
}
