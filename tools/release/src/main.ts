import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ReleaseFailure } from './release-failure.ts';

const usage = 'Usage: main.ts check|changeset|version|licenses [--check] [--workspace FOLDER]';

interface Options {
  readonly isCheck: boolean;
}

type Run = (root: string, options: Options) => Promise<void>;

/** Each command loads its own part alone. */
const commands: Readonly<Record<string, () => Promise<Run>>> = {
  check: async () => (await import('./check/check-command.ts')).runCheck,
  changeset: async () => (await import('./check/check-command.ts')).runChangeset,
  version: async () => (await import('./version/version-command.ts')).runVersion,
  licenses: async () => (await import('./licenses/licenses-command.ts')).runLicenses,
};

async function main(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workspace: { type: 'string', default: resolve(import.meta.dirname, '../../..') },
      check: { type: 'boolean', default: false },
    },
  });
  const command = commands[positionals[0] ?? ''];
  if (command === undefined || positionals.length > 1) throw new ReleaseFailure(usage);
  await (await command())(resolve(values.workspace), { isCheck: values.check });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ReleaseFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
