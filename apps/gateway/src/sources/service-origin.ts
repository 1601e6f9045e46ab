import { AsyncLocalStorage } from 'node:async_hooks';
import type { Service } from '@rostergate/endpoints';
import { placeInStack } from './module-graph.ts';

/**
 * Follows what services begin: timers, sockets and promises carry the file of their service. Only where Node follows
 * without a cost per promise (24 and later); before, the stack of an error alone tells.
 */
const scope =
  Number(process.versions.node.split('.')[0]) >= 24 ? new AsyncLocalStorage<string>({ name: 'service' }) : undefined;

const fileOf = new WeakMap<Service, string>();

/** Runs code of the service in this file. */
export function runAsService<T>(file: string, run: () => T): T {
  return scope === undefined ? run() : scope.run(file, run);
}

/** The file of the service that began the work under way; undefined where that cannot be told. */
export function currentService(): string | undefined {
  return scope?.getStore();
}

/** Records the file that a service was loaded from. */
export function recordOrigin(service: Service, file: string): void {
  fileOf.set(service, file);
}

/** A function of a service that runs as code of its file; the function itself for a service that is built in. */
export function asServiceCode<A extends unknown[], R>(service: Service, run: (...args: A) => R): (...args: A) => R {
  const file = fileOf.get(service);
  return scope === undefined || file === undefined ? run : (...args) => scope.run(file, run, ...args);
}

/**
 * The place in a service that an uncaught error comes from, by its stack or else by what began it; undefined when
 * neither names a service. Call it in the handler of the error itself.
 */
export function findServiceOrigin(error: unknown): string | undefined {
  const place = placeInStack(stackOf(error));
  return place === undefined ? currentService() : `${place.path}:${place.line}:${place.column}`;
}

/** Keeps code of services from ending this process: `process.exit` and `process.abort` throw there. */
export function keepServicesFromExit(): void {
  for (const name of ['exit', 'abort'] as const) {
    const end = process[name].bind(process) as (...args: unknown[]) => never;
    process[name] = (...args: unknown[]): never => {
      const origin = findServiceOrigin(new Error());
      if (origin === undefined) return end(...args);
      throw new Error(`A service called process.${name}(), which would end the server (${origin}). Remove the call.`);
    };
  }
}

/** Empty for a value that is no error; what was thrown may be anything, and its members may throw too. */
export function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : '';
  } catch {
    return '';
  }
}
