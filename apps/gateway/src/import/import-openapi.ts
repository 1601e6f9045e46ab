import { type FoundOperation, operationsOf, parseContractDocument, parseEndpoints } from '@rostergate/endpoints';
import { didYouMean } from '@rostergate/runtime/config';
import { findCostlySchemas, type OpenApiDocument } from '@rostergate/runtime/contract';
import { describeHttpService } from '../services/http.ts';
import { openEndpointsText } from './endpoints-text.ts';
import { ImportError, type ImportOptions, type PlanOptions, planOptionsOf, readPlanOptions } from './import-options.ts';
import { type ImportedOperation, mergeEntries } from './merge-entries.ts';
import { isTarget, type Plan, type PlannedEntry, planEntries, type SkippedOperation, tagsOf } from './plan-entries.ts';
import { readSourceDocument, writeSourceDocument } from './source-document.ts';

/** What an import makes of the two files, and what became of each operation. */
export interface ImportResult {
  /** endpoints.json: what was there, edited where it had to be. */
  readonly endpointsText: string;
  /** Where the document goes, relative to the folder of endpoints.json, and its text. */
  readonly documentPath: string;
  readonly documentText: string;
  readonly operations: readonly ImportedOperation[];
  readonly skipped: readonly SkippedOperation[];
  readonly warnings: readonly string[];
}

/**
 * Turns the operations of an OpenAPI document into endpoints that forward to its server; requests are held against it. A
 * second import brings the entries up to date and leaves alone what people have edited; the same import twice changes
 * nothing. Reads and writes no files.
 * @throws ImportError, with what to do, when nothing can be imported; ConfigError when endpoints.json is not JSON.
 */
export function importOpenApi(
  source: { readonly text: string; readonly name: string },
  options: ImportOptions,
): ImportResult {
  const { documentPath } = options;
  const endpoints = openEndpointsText(options.endpointsText, options.endpointsFile);
  const before = readBefore(options);
  const plan = planOptionsOf(options, before?.options);
  requireUsable(plan);
  const { document, warnings } = readSourceDocument(source.text, source.name, documentPath);
  requireKnownNames(operationsOf(document.value, document.resolve), options, source.name);
  const whole = planEntries(document, plan);
  const planned = withoutRefused(whole, document.path, document);
  const merge = mergeEntries({
    entries: endpoints.entries,
    documentPath,
    before: before?.entries,
    planned: planned.entries,
    named: options.include ?? [],
  });
  const isLoss = merge.operations.some(({ change }) => change === 'removed' || change === 'disabled');
  if (planned.entries.size === 0 && isLoss) {
    throw new ImportError(
      `Nothing of ${source.name} would be left: every endpoint of ${documentPath} would go. If that is wanted, take the endpoints out of endpoints.json by hand.`,
    );
  }
  const skipped = [...planned.skipped, ...merge.skipped];
  if (merge.operations.length === 0) throw new ImportError(nothingImported(source.name, skipped));
  const imported = new Set(merge.operations.map(({ operationId }) => operationId));
  const not_imported = [...whole.entries.keys()].filter((id) => !imported.has(id) && !before?.entries.has(id));
  return {
    endpointsText: endpoints.edit(merge.edits),
    documentPath,
    documentText: writeSourceDocument(document, { ...plan, ...(not_imported.length > 0 && { not_imported }) }),
    operations: merge.operations,
    skipped,
    warnings: [...warnings, ...planned.warnings, ...findCostlySchemas(openApiOf(document)), ...merge.warnings],
  };
}

function nothingImported(source: string, skipped: readonly SkippedOperation[]): string {
  const reasons = skipped.slice(0, reasonsMax).map(({ operationId, reason }) => `  ${operationId}: ${reason}`);
  const rest = skipped.length - reasonsMax;
  if (rest > 0) reasons.push(`  and ${rest} more`);
  const detail = reasons.length === 0 ? ' it holds no operations.' : `\n${reasons.join('\n')}`;
  return `Nothing of ${source} was imported:${detail}`;
}

const reasonsMax = 10;

const openApiOf = ({ value }: { readonly value: unknown }) => ({ paths: {}, ...(value as Partial<OpenApiDocument>) });

interface Before {
  readonly options: Partial<PlanOptions>;
  readonly entries: ReadonlyMap<string, PlannedEntry>;
}

/** The import before, from the document that it wrote; a document of any other origin tells nothing. */
function readBefore({ documentPath, documentText }: ImportOptions): Before | undefined {
  if (documentText === undefined) return undefined;
  const document = parseContractDocument(documentText, documentPath);
  if (typeof document === 'string')
    throw new ImportError(`${document}: remove ${documentPath} or choose another name.`);
  const options = readPlanOptions(document.value);
  if (options === undefined) {
    throw new ImportError(`${documentPath} was not written by an import: choose another name for the document.`);
  }
  const { entries } = planEntries(document, planOptionsOf({ documentPath }, options));
  const skipped = new Set(options.not_imported);
  return { options, entries: new Map([...entries].filter(([operationId]) => !skipped.has(operationId))) };
}

function requireUsable({ prefix, targets }: PlanOptions): void {
  if (prefix !== '' && !/^(\/[A-Za-z0-9._~@!$&'+,;=-]+)+$/.test(prefix)) {
    throw new ImportError(`The prefix "${prefix}" is no path: write it as /petstore.`);
  }
  const wrong = targets.find((target) => !isTarget(target));
  if (wrong !== undefined) {
    throw new ImportError(
      `The target "${wrong}" is no address: write it as https://api.example.com/v1, without a query.`,
    );
  }
}

/** A slip in a name must not take away every endpoint that it was to choose. */
function requireKnownNames(
  operations: readonly FoundOperation[],
  { include = [], exclude = [] }: ImportOptions,
  source: string,
): void {
  const known = [...new Set(operations.flatMap(({ operationId, operation }) => [operationId, ...tagsOf(operation)]))];
  const faults = Object.entries({ include, exclude }).flatMap(([option, names]) =>
    names
      .filter((name) => !known.includes(name))
      .map(
        (name) =>
          `--${option} ${name}: ${source} has no operationId and no tag of that name.${didYouMean(name, known)}`,
      ),
  );
  if (faults.length > 0) throw new ImportError(faults.join('\n'));
}

/** The configuration has the last word: what it would refuse is not written. */
function withoutRefused(plan: Plan, documentPath: string, document: Parameters<typeof planEntries>[0]): Plan {
  const entries = new Map(plan.entries);
  const skipped = [...plan.skipped];
  for (;;) {
    const list = [...entries];
    const { faults } = parseEndpoints(
      { endpoints: list.map(([, entry]) => entry) },
      [describeHttpService()],
      new Map([[documentPath, document]]),
    );
    if (faults.length === 0) return { ...plan, entries, skipped };
    for (const { pointer, detail } of faults) {
      const [operationId, entry] = list[Number(pointer.split('/')[2])] as [string, PlannedEntry];
      if (!entries.delete(operationId)) continue;
      skipped.push({ operationId, method: entry.method, path: entry.path, reason: `its entry ${detail}` });
    }
  }
}
