import { basename } from 'node:path';
import {
  type ContractDocument,
  contractDocumentFrom,
  operationsOf,
  parseContractDocument,
} from '@rostergate/endpoints';
import { ImportError, planMember, type StoredPlan } from './import-options.ts';

export interface SourceDocument {
  /** The document to write: plain JSON, every operation with a unique operationId. */
  readonly document: ContractDocument;
  readonly warnings: readonly string[];
}

/** Reads the document to import. Throws an ImportError if it cannot be used. */
export function readSourceDocument(text: string, name: string, documentPath: string): SourceDocument {
  const parsed = parseContractDocument(text, name);
  if (typeof parsed === 'string') throw new ImportError(`${name} ${parsed.replace(/[.:]+$/, '')}.`);
  const outside = [...new Set(referencesOutOf(parsed.value))];
  if (outside.length > 0) {
    throw new ImportError(
      `${name} refers to other files (${outside.slice(0, 3).join(', ')}): bundle it into one file first, for example with npx @redocly/cli bundle.`,
    );
  }
  const warnings: string[] = [];
  const { [planMember]: _, webhooks, ...rest } = plainCopy(parsed.value, name);
  if (webhooks !== undefined) warnings.push('Webhooks are not imported: the upstream sends them itself.');
  nameOperations(rest, warnings);
  return { document: asDocument(rest, documentPath), warnings };
}

/** Returns the text of the document with the options of its import. */
export function writeSourceDocument(document: ContractDocument, options: StoredPlan): string {
  return `${JSON.stringify({ ...document.value, [planMember]: options }, null, 2)}\n`;
}

function asDocument(value: Readonly<Record<string, unknown>>, path: string): ContractDocument {
  const document = contractDocumentFrom(value, path);
  if (typeof document === 'string') throw new ImportError(`${path} ${document}.`);
  return document;
}

/** Copies a document without YAML aliases, by which an object may contain itself. */
function plainCopy(value: object, name: string): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
  } catch {
    throw new ImportError(`${name} contains itself by a YAML alias: write $ref instead.`);
  }
}

function* referencesOutOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string' && !member.startsWith('#')) yield member;
    else if (key !== 'example' && key !== 'examples') yield* referencesOutOf(member);
  }
}

/** Gives each operation a unique operationId, by which endpoints refer to it. */
function nameOperations(document: Record<string, unknown>, warnings: string[]): void {
  const operations = operationsOf(document);
  const taken = new Set<string>();
  const nameless = operations.filter(({ operationId }) => {
    if (operationId === '' || taken.has(operationId)) return true;
    taken.add(operationId);
    return false;
  });
  for (const { operation, operationId, method, path } of nameless) {
    const base = inventedId(method, path);
    let id = base;
    for (let n = 2; taken.has(id); n++) id = `${base}${n}`;
    taken.add(id);
    (operation as Record<string, unknown>).operationId = id;
    const why = operationId === '' ? 'has no operationId' : `repeats the operationId ${operationId}`;
    warnings.push(`${method.toUpperCase()} ${path} ${why}: it is named ${id}.`);
  }
}

/** `GET /pets/{pet-id}` → `getPetsByPetId`, `GET /files/{name}.json` → `getFilesByNameJson`. */
function inventedId(method: string, path: string): string {
  const words = path.split('/').map((segment) => {
    const prefix = segment.startsWith('{') ? 'By' : '';
    const parts = segment.split(/[^A-Za-z0-9]+/).filter(Boolean);
    return prefix + parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  });
  return method + words.join('');
}

/**
 * Returns the default file name of an imported document: `petstore.yaml` becomes `petstore.openapi.json`; a document from
 * stdin is named after its title, so that two of them do not collide.
 */
export function documentNameOf(file: string | undefined, text: string): string {
  const stem = file === undefined ? stemOfTitle(text) : basename(file).replace(/(\.openapi)?\.(json|ya?ml)$/i, '');
  return `${stem}.openapi.json`;
}

function stemOfTitle(text: string): string {
  const document = parseContractDocument(text, 'stdin');
  const info = typeof document === 'string' ? undefined : (document.value.info as { title?: unknown } | undefined);
  const words = (typeof info?.title === 'string' ? info.title : '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, 80) ?? 'imported';
}
