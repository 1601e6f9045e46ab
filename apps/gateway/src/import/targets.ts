import type { ContractDocument, FoundOperation } from '@rostergate/endpoints';
import { ImportError } from './import-error.ts';
import type { PlanOptions } from './import-options.ts';

/**
 * Where an operation is forwarded to: the given targets, or else the first absolute server that the document gives it.
 * The servers of a document are a choice, not a group that shares its requests.
 */
export function targetsOf(
  { operation, item }: FoundOperation,
  document: ContractDocument,
  { targets }: PlanOptions,
  warnings: Set<string>,
): readonly string[] {
  if (targets.length > 0) return targets;
  const servers = [operation.servers, item.servers, document.value.servers].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  const addresses = ((servers ?? []) as unknown[]).flatMap((server) => addressOf(server));
  const [first, ...others] = addresses;
  if (first === undefined) {
    throw new ImportError(
      'The document names no server by an absolute http or https address: say where to forward to with --target.',
    );
  }
  if (others.length > 0) {
    warnings.add(`Forwarding to ${first}, the first server of the document; it names ${others.join(', ')} too.`);
  }
  return [first];
}

interface ServerObject {
  readonly url?: unknown;
  readonly variables?: Readonly<Record<string, { readonly default?: unknown } | undefined>>;
}

function addressOf(server: unknown): string[] {
  const { url, variables = {} } = (server ?? {}) as ServerObject;
  if (typeof url !== 'string') return [];
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name]?.default : undefined;
    return typeof value === 'string' ? value : whole;
  });
  return isTarget(filled) ? [filled.replace(/\/+$/, '')] : [];
}

/** As the configuration takes it: no user, query or fragment. */
export function isTarget(text: string): boolean {
  return /^https?:\/\/[^/?#@\s{}]+(\/[^?#\s{}]*)?$/.test(text);
}
