import { type FoundOperation, operationsOf, parseContractDocument, parseEndpoints } from '@rostergate/endpoints';
import { findCostlySchemas, type OpenApiDocument } from '@rostergate/server';
import { didYouMean } from '@rostergate/server/problem';
import { describeHttpService } from '../services/http.ts';
import { openEndpointsText } from './endpoints-text.ts';
import { ImportError, type ImportOptions, type PlanOptions, planOptionsOf, readPlanOptions } from './import-options.ts';
import { type ImportedOperation, mergeEntries } from './merge-entries.ts';
import { isTarget, type Plan, type PlannedEntry, planEntries, type SkippedOperation, tagsOf } from './plan-entries.ts';
import { readSourceDocument, writeSourceDocument } from './source-document.ts';

/** The new texts of the two files, and the outcome of each operation. */
export interface ImportResult {
  /** The edited text of endpoints.json. */
  readonly endpointsText: string;
  /** The path of the document, relative to the folder of endpoints.json. */
  readonly documentPath: string;
  readonly documentText: string;
  readonly operations: readonly ImportedOperation[];
  readonly skipped: readonly SkippedOperation[];
  readonly warnings: readonly string[];
}

/**
 * Turns the operations of an OpenAPI document into endpoints that forward to its server and validate requests against the
 * document. A second import updates the entries and preserves edits; the same import twice changes nothing. Does no I/O.
 * @throws ImportError, with the remedy, if nothing can be imported; ConfigError if endpoints.json is not JSON.
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
  const planned = withoutRejected(whole, document.path, document);
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
      `The import of ${source.name} would remove every endpoint of ${documentPath}. If that is intended, remove the endpoints from endpoints.json by hand.`,
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
  const detail = reasons.length === 0 ? ' it contains no operations.' : `\n${reasons.join('\n')}`;
  return `Nothing of ${source} was imported:${detail}`;
}

const reasonsMax = 10;

const openApiOf = ({ value }: { readonly value: unknown }) => ({ paths: {}, ...(value as Partial<OpenApiDocument>) });

interface Before {
  readonly options: Partial<PlanOptions>;
  readonly entries: ReadonlyMap<string, PlannedEntry>;
}

/** Returns the previous import, from the document that it wrote. */
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
    throw new ImportError(`The prefix "${prefix}" is not a path: write it as /petstore.`);
  }
  const wrong = targets.find((target) => !isTarget(target));
  if (wrong !== undefined) {
    throw new ImportError(
      `The target "${wrong}" is not an address: write it as https://api.example.com/v1, without a query.`,
    );
  }
}

/** Rejects unknown names: a typo in one would remove every endpoint that it should have chosen. */
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
        (name) => `--${option} ${name}: ${source} has no operationId or tag with this name.${didYouMean(name, known)}`,
      ),
  );
  if (faults.length > 0) throw new ImportError(faults.join('\n'));
}

/** Removes the entries that the configuration would reject. */
function withoutRejected(plan: Plan, documentPath: string, document: Parameters<typeof planEntries>[0]): Plan {
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
