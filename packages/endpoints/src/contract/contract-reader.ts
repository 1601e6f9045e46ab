import type { EndpointPath } from '@rostergate/server';
import { didYouMean } from '@rostergate/server/problem';
import { runSteps, type Steps } from '@rostergate/server/steps';
import type { Report } from '../configuration-schema.ts';
import type { ContractReference, EndpointMethod } from '../endpoint.ts';
import { isObject } from '../json-pointer.ts';
import { type ComponentLibrary, createComponentLibrary, type DocumentFault, reachedFrom } from './component-library.ts';
import { type ContractDocument, parseContractDocumentSteps } from './contract-document.ts';
import { type ContractOperation, translateOperation } from './contract-operation.ts';
import { templateNames } from './translate-parameters.ts';

/** The contract documents by their path in endpoints.json: as text, or already parsed. */
export type ContractDocuments = ReadonlyMap<string, string | ContractDocument>;

export interface ContractReader {
  /** Returns the translated operation of a reference; faults are reported below the endpoint's `contract`. */
  read(
    reference: ContractReference,
    method: EndpointMethod,
    path: EndpointPath,
    report: Report,
  ): ContractOperation | undefined;
}

/** Returns the paths of the documents that the value of endpoints.json refers to, each once, in its order. */
export function contractDocumentsOf(value: unknown): string[] {
  const endpoints = isObject(value) && Array.isArray(value.endpoints) ? value.endpoints : [];
  const paths = endpoints.flatMap((endpoint: unknown) => {
    if (!isObject(endpoint) || endpoint.enabled === false || !isObject(endpoint.contract)) return [];
    const { document } = endpoint.contract;
    return typeof document === 'string' && document !== '' ? [document] : [];
  });
  return [...new Set(paths)];
}

/** Returns a reader of the documents' operations; each schema is translated once. */
export function createContractReader(documents: ContractDocuments): ContractReader {
  return runSteps(createContractReaderSteps(documents));
}

/** Does the same in steps when documents are long. */
export function* createContractReaderSteps(documents: ContractDocuments): Steps<ContractReader> {
  const prefixes = createPrefixes([...documents.keys()]);
  const opened = new Map<string, OpenedDocument | string>();
  for (const [path, given] of documents) {
    opened.set(path, yield* openDocumentSteps(path, given, prefixes.get(path) as string));
  }

  return {
    read({ document: documentPath, operationId }, method, path, report) {
      const source = opened.get(documentPath) ?? 'There is no such file. Create it, or correct the path.';
      if (typeof source === 'string') {
        report(['contract', 'document'], source);
        return undefined;
      }
      const { document, library } = source;
      const found = document.operations.get(operationId);
      if (found === undefined) {
        const near = didYouMean(operationId, [...document.operations.keys()]);
        report(['contract', 'operation_id'], `"${operationId}" is not an operation of ${documentPath}.${near}`);
        return undefined;
      }
      const names = templateNames(found.path);
      if (names.length !== path.parameters.length || names.some((name) => !path.parameters.includes(name))) {
        report(
          ['path'],
          `has ${braced(path.parameters)}, but the path of ${operationId} in ${documentPath} is ${found.path}: use the same parameters`,
        );
        return undefined;
      }
      const faults: DocumentFault[] = [];
      const operation = translateOperation(found, document, library, method, (pointer, detail) =>
        faults.push({ pointer, detail }),
      );
      for (const [, component] of reachedFrom(operation.uses, library.components)) faults.push(...component.faults);
      for (const { pointer, detail } of faults) {
        report(['contract', 'operation_id'], `${document.place(pointer)}: ${detail}`);
      }
      return faults.length === 0 ? operation : undefined;
    },
  };
}

interface OpenedDocument {
  readonly document: ContractDocument;
  readonly library: ComponentLibrary;
}

function* openDocumentSteps(
  path: string,
  given: string | ContractDocument,
  prefix: string,
): Steps<OpenedDocument | string> {
  const document = typeof given === 'string' ? yield* parseContractDocumentSteps(given, path) : given;
  if (typeof document === 'string') return `${path} ${document}`;
  return { document, library: createComponentLibrary(document, prefix) };
}

/** `contracts/pet-store.openapi.yaml` → `PetStore`, with a number appended when another file has the same prefix. */
function createPrefixes(paths: readonly string[]): Map<string, string> {
  const prefixes = new Map<string, string>();
  const taken = new Set<string>();
  for (const path of [...paths].sort()) {
    const file = path.slice(path.lastIndexOf('/') + 1).replace(/(\.openapi)?\.(json|ya?ml)$/i, '');
    const words = file.split(/[^A-Za-z0-9]+/).filter(Boolean);
    const base = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Contract';
    let prefix = base;
    for (let n = 2; taken.has(prefix); n++) prefix = `${base}${n}`;
    taken.add(prefix);
    prefixes.set(path, prefix);
  }
  return prefixes;
}

function braced(names: readonly string[]): string {
  return names.length === 0 ? 'no parameters' : names.map((name) => `{${name}}`).join(', ');
}
