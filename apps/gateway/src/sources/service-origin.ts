import { AsyncLocalStorage } from 'node:async_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Tracks the service file of timers, sockets and promises. Only in Node 24 and later, where tracking costs nothing per
 * promise; in older versions only the stack of an error identifies the service.
 */
const scope =
  Number(process.versions.node.split('.')[0]) >= 24 ? new AsyncLocalStorage<string>({ name: 'service' }) : undefined;

const fileOf = new WeakMap<object, string>();

/** Runs code of the service of a file. */
export function runAsService<T>(file: string, run: () => T): T {
  return scope === undefined ? run() : scope.run(file, run);
}

/** Returns the file of the service that started the current work; undefined if it is unknown. */
export function currentService(): string | undefined {
  return scope?.getStore();
}

/** Records the file that a service, a policy or a middleware was loaded from. */
export function recordOrigin(loaded: object, file: string): void {
  fileOf.set(loaded, file);
}

/** Returns a function that runs as code of the file of a service or policy; the function itself for a built-in one. */
export function asServiceCode<A extends unknown[], R>(loaded: object, run: (...args: A) => R): (...args: A) => R {
  const file = fileOf.get(loaded);
  return scope === undefined || file === undefined ? run : (...args) => scope.run(file, run, ...args);
}

/**
 * Returns the place in a service that caused an uncaught error, from its stack or else from the current work; undefined
 * if neither names a service. Call it in the handler of the error itself.
 */
export function findServiceOrigin(error: unknown): string | undefined {
  const place = placeInStack(stackOf(error));
  return place === undefined ? currentService() : `${place.path}:${place.line}:${place.column}`;
}

/** Prevents services from ending this process: `process.exit` and `process.abort` throw in their code. */
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

/** Returns the stack of an error; empty for any other thrown value and if reading the stack throws. */
export function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : '';
  } catch {
    return '';
  }
}

/** The query parameter of the URL under which a version of a module is loaded. */
const parameter = 'rostergate-version';

export function urlOfVersion(path: string, version: string): string {
  return `${pathToFileURL(path).href}?${parameter}=${version}`;
}

/** Returns the path in a versioned URL; undefined for any other URL. */
export function versionedPath(url: string | undefined): string | undefined {
  return url?.includes(`?${parameter}=`) ? fileURLToPath(url.slice(0, url.indexOf('?'))) : undefined;
}

/** Returns a text, such as a stack, without the versions in URLs. */
export function withoutVersions(text: string): string {
  return text.replaceAll(new RegExp(`\\?${parameter}=\\w+`, 'g'), '');
}

/** A position in a module. */
export interface ModulePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** Returns the place of the first stack frame in a module of the services' folder. */
export function placeInStack(stack: string): ModulePlace | undefined {
  const frame = new RegExp(`(file://[^\\s()]+?)\\?${parameter}=\\w+:(\\d+):(\\d+)`).exec(stack);
  if (frame === null) return undefined;
  const [, url, line, column] = frame as unknown as [string, string, string, string];
  return { path: fileURLToPath(url), line: Number(line), column: Number(column) };
}
