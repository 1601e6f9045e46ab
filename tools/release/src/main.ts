import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ReleaseFailure } from './run.ts';

const usage =
  'Usage: main.ts check|changeset|version|state|publish [--no-provenance]|papers FOLDER|licenses [--check], each with [--workspace FOLDER].';

interface Options {
  readonly isCheck: boolean;
  readonly hasProvenance: boolean;
  readonly folder: string | undefined;
}

type Run = (root: string, options: Options) => Promise<void>;

/** Each command loads only its own modules. */
const commands: Readonly<Record<string, () => Promise<Run>>> = {
  check: async () => (await import('./check/check-release.ts')).runCheck,
  changeset: async () => (await import('./check/check-release.ts')).runChangeset,
  version: async () => (await import('./version.ts')).runVersion,
  state: async () => (await import('./publish.ts')).runState,
  publish: async () => (await import('./publish.ts')).runPublish,
  papers: async () => (await import('./papers.ts')).runPapers,
  licenses: async () => (await import('./licenses.ts')).runLicenses,
};

async function main(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      workspace: { type: 'string', default: resolve(import.meta.dirname, '../../..') },
      check: { type: 'boolean', default: false },
      provenance: { type: 'boolean', default: true },
    },
  });
  const [name = '', folder, ...rest] = positionals;
  const command = commands[name];
  if (command === undefined || rest.length > 0) throw new ReleaseFailure(usage);
  const { workspace, check, provenance } = values;
  await (await command())(resolve(workspace), { isCheck: check, hasProvenance: provenance, folder });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!isUserError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function isUserError(error: unknown): error is Error {
  const { code = '' } = error as { code?: string };
  return error instanceof ReleaseFailure || code.startsWith('ERR_PARSE_ARGS_');
}
