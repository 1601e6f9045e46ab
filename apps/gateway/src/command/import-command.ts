import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  type Column,
  CommandFailure,
  exitCodes,
  formatTable,
  type Terminal,
  writeWholeFile,
} from '@rostergate/config/command';
import { Command } from 'commander';
import type { ImportResult } from '../import/import-openapi.ts';
import { type CommandContext, configOption, readGivenFile } from './command-context.ts';
import { endpointsFileOf, settingsOf } from './configuration-paths.ts';

interface Options {
  readonly config?: string;
  readonly document?: string;
  readonly target?: readonly string[];
  readonly prefix?: string;
  readonly auth: boolean;
  readonly scope?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly dryRun?: true;
  readonly json?: true;
}

/** `rostergate import` */
export function createImportCommand(context: CommandContext): Command {
  return new Command('import')
    .description(
      'Turns the operations of an OpenAPI document into endpoints that forward to its server. Requests are validated against the document; responses are passed through. Importing again updates the endpoints and preserves your edits in endpoints.json. Omitted options keep the values of the previous import.',
    )
    .argument('<file>', 'the OpenAPI document, JSON or YAML; - reads stdin')
    .option('--target <url...>', "address of the upstream, instead of the document's servers; repeatable")
    .option('--prefix <path>', 'prefix of every path, such as /petstore')
    .option('--auth', 'callers need a key (default)')
    .option('--no-auth', 'callers need no key')
    .option('--scope <tag=scopes...>', 'scopes by tag, such as orders=orders:read,orders:write; * for every operation')
    .option('--include <name...>', 'operationIds and tags to import (default: all)')
    .option('--exclude <name...>', 'operationIds and tags to leave out')
    .option(
      '--document <path>',
      'where to write the document, relative to endpoints.json (default: from its file name, or from its title if read from stdin)',
    )
    .option('--dry-run', 'only print what would change')
    .addOption(configOption())
    .option('--json', 'print the result as JSON')
    .action(async (file: string, options: Options, command: Command) => {
      const [{ importOpenApi }, { ImportError }, { documentNameOf }] = await Promise.all([
        import('../import/import-openapi.ts'),
        import('../import/import-options.ts'),
        import('../import/source-document.ts'),
      ]);
      const endpointsFile = endpointsFileOf(context, options.config);
      const source = { text: readGivenFile(file === '-' ? 0 : file), name: file === '-' ? 'stdin' : file };
      const documentPath = options.document ?? documentNameOf(file === '-' ? undefined : file, source.text);
      const documentFile = join(dirname(endpointsFile), documentPath);
      const [endpointsText, documentText] = [readIfThere(endpointsFile), readIfThere(documentFile)];
      let result: ImportResult;
      try {
        result = importOpenApi(source, {
          documentPath,
          targets: options.target,
          prefix: options.prefix,
          requiresAuth: command.getOptionValueSource('auth') === 'cli' ? options.auth : undefined,
          scopes: options.scope === undefined ? undefined : parseTagScopes(options.scope),
          include: options.include,
          exclude: options.exclude,
          issuers: settingsOf(context, options.config).jwt_issuers,
          endpointsFile,
          endpointsText,
          documentText,
        });
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        const faults = error.message.split('\n').map((detail) => ({ where: source.name, field: '', detail }));
        throw new CommandFailure(error.message, exitCodes.invalid, { cause: error, faults });
      }
      // The document first: endpoints must not refer to a missing document.
      const changed = [
        { path: documentFile, text: result.documentText, before: documentText },
        { path: endpointsFile, text: result.endpointsText, before: endpointsText },
      ].filter(({ text, before }) => text !== before);
      const isDryRun = options.dryRun === true;
      if (!isDryRun) for (const { path, text } of changed) writeWholeFile(path, text);
      printResult(context.terminal, result, {
        endpointsFile,
        documentFile,
        changedFiles: changed.map(({ path }) => path),
        isDryRun,
        json: options.json === true,
      });
    });
}

interface Written {
  readonly endpointsFile: string;
  readonly documentFile: string;
  /** Files whose text changed, or would change. */
  readonly changedFiles: readonly string[];
  readonly isDryRun: boolean;
  readonly json: boolean;
}

function printResult(
  { out, err }: Terminal,
  result: ImportResult,
  { endpointsFile, documentFile, changedFiles, isDryRun, json }: Written,
): void {
  const { operations, skipped, warnings } = result;
  if (json) {
    const report = {
      endpoints_file: endpointsFile,
      document_file: documentFile,
      is_written: !isDryRun && changedFiles.length > 0,
      operations: operations.map(({ operationId, ...rest }) => ({ operation_id: operationId, ...rest })),
      skipped: skipped.map(({ operationId, ...rest }) => ({ operation_id: operationId, ...rest })),
      warnings,
    };
    out.write(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  const rows = [
    ...operations.map(({ change, method, path, operationId, kept }) => [
      change,
      method,
      path,
      operationId,
      kept.length === 0 ? '' : `edits preserved: ${kept.join(', ')}`,
    ]),
    ...skipped.map(({ method, path, operationId, reason }) => ['skipped', method, path, operationId, reason]),
  ];
  if (rows.length > 0) out.write(formatTable(columns, rows, out));
  for (const warning of warnings) err.write(`${err.style('yellow', 'Note')}: ${warning}\n`);
  if (changedFiles.length === 0) {
    err.write(isDryRun ? 'Nothing would change.\n' : 'Nothing changed.\n');
    return;
  }
  const files = changedFiles.map((file) => relative('', file)).join(' and ');
  const changed = operations.filter(({ change }) => change !== 'unchanged').length;
  const verb = isDryRun ? 'Dry run' : 'Written';
  err.write(
    `${verb}: ${files}; ${changed} of ${operations.length} endpoints ${isDryRun ? 'would change' : 'changed'}.\n`,
  );
}

const columns: readonly Column[] = [
  { title: 'CHANGE', style: (change) => (change === 'unchanged' ? 'dim' : change === 'skipped' ? 'yellow' : 'green') },
  { title: 'METHOD' },
  { title: 'PATH' },
  { title: 'OPERATION' },
  { title: 'NOTE' },
];

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Returns the scopes of `--scope orders=orders:read,orders:write --scope '*=api'` by tag. */
function parseTagScopes(given: readonly string[]): Record<string, readonly string[]> {
  const scopes = new Map<string, string[]>();
  for (const text of given) {
    // A tag may contain equals signs, scopes may not: the last one separates them.
    const at = text.lastIndexOf('=');
    const names = text
      .slice(at + 1)
      .split(',')
      .filter((name) => name !== '');
    if (at < 1 || names.length === 0) {
      throw new CommandFailure(
        `--scope takes a tag and its scopes, such as orders=orders:read,orders:write, not ${JSON.stringify(text)}.`,
        exitCodes.usage,
      );
    }
    const tag = text.slice(0, at);
    scopes.set(tag, [...new Set([...(scopes.get(tag) ?? []), ...names])]);
  }
  return Object.fromEntries(scopes);
}
