import { statSync } from 'node:fs';
import {
  type Column,
  CommandFailure,
  exitCodes,
  formatTable,
  type Style,
  type Terminal,
} from '@rostergate/config/command';
import { Command, Option } from 'commander';
import type { Diff } from '../diff/diff-documents.ts';
import { type ChangeKind, changeKinds } from '../diff/rules.ts';
import type { Configuration } from '../sources/read-sources.ts';
import { type CommandContext, readGivenFile } from './command-context.ts';

interface Options {
  readonly failOn?: ChangeKind;
  readonly json?: true;
}

/** `rostergate diff` */
export function createDiffCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('diff')
    .description(
      'Lists the changes that callers notice between two configurations or contracts. Each is a settings.json, its folder, or an OpenAPI document (JSON or YAML).',
    )
    .argument('<old>', 'the current configuration or contract')
    .argument('<new>', 'the new configuration or contract')
    .addOption(
      new Option('--fail-on <kind>', 'exit with 1 if there is a change of this or a worse kind').choices(changeKinds),
    )
    .option('--json', 'print the changes as JSON')
    .action(async (oldPath: string, newPath: string, { failOn, json }: Options) => {
      const diff = await compare(await readSide(context, oldPath), await readSide(context, newPath));
      if (json) terminal.out.write(`${JSON.stringify(diff, null, 2)}\n`);
      else writeChanges(diff, terminal);
      const isFailing =
        failOn !== undefined &&
        changeKinds.slice(0, changeKinds.indexOf(failOn) + 1).some((kind) => diff.summary[kind] > 0);
      if (isFailing) throw new CommandFailure('', exitCodes.invalid, { isReported: true });
    });
}

type Side = { readonly configuration: Configuration } | { readonly document: unknown };

/** Reads a configuration or a document: a folder contains a configuration, the content of a file determines which it is. */
async function readSide(context: CommandContext, path: string): Promise<Side> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const { parseContractDocument } = await import('@rostergate/endpoints');
    const parsed = parseContractDocument(readGivenFile(path), path);
    if (typeof parsed !== 'string') return { document: parsed.value };
    if (!/\.json$/i.test(path)) throw new CommandFailure(`${path} ${parsed}.`);
  }
  const { loadGateway } = await import('./load-gateway.ts');
  return { configuration: (await loadGateway(context, { config: path })).configuration };
}

async function compare(old: Side, next: Side): Promise<Diff> {
  const [{ diffConfigurations }, { diffDocuments }] = await Promise.all([
    import('../diff/diff-configurations.ts'),
    import('../diff/diff-documents.ts'),
  ]);
  if ('configuration' in old && 'configuration' in next)
    return diffConfigurations(old.configuration, next.configuration);
  const { createServedDocument } = await import('../served-document.ts');
  const documentOf = (side: Side) =>
    'document' in side
      ? side.document
      : createServedDocument(side.configuration.settings, side.configuration.endpoints);
  return diffDocuments(documentOf(old), documentOf(next));
}

function writeChanges({ changes, summary }: Diff, { out, err }: Terminal): void {
  if (changes.length === 0) {
    err.write('No changes for callers.\n');
    return;
  }
  const rows = changes.map(({ kind, operation, part, text }) => [kind, operation || '(server)', part || '–', text]);
  out.write(formatTable(columns, rows, out));
  const counts = changeKinds.filter((kind) => summary[kind] > 0).map((kind) => `${summary[kind]} ${kind}`);
  err.write(`${counts.join(', ')}\n`);
}

const styles: Readonly<Record<ChangeKind, Style>> = {
  breaking: 'red',
  policy: 'yellow',
  relaxation: 'cyan',
  addition: 'green',
  note: 'dim',
};

const columns: readonly Column[] = [
  { title: 'KIND', style: (kind) => styles[kind as ChangeKind] },
  { title: 'OPERATION' },
  { title: 'WHERE' },
  { title: 'CHANGE' },
];
