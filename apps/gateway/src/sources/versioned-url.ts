import { fileURLToPath, pathToFileURL } from 'node:url';

/** Part of the URL under which a module of the services' folder is loaded: a changed module has another version. */
const parameter = 'rostergate-version';

export function urlOfVersion(path: string, version: string): string {
  return `${pathToFileURL(path).href}?${parameter}=${version}`;
}

/** The path in a versioned URL; undefined for any other URL. */
export function versionedPath(url: string | undefined): string | undefined {
  return url?.includes(`?${parameter}=`) ? fileURLToPath(url.slice(0, url.indexOf('?'))) : undefined;
}

/** A text, such as a stack, with plain URLs in place of versioned ones. */
export function withoutVersions(text: string): string {
  return text.replaceAll(new RegExp(`\\?${parameter}=\\w+`, 'g'), '');
}

/** A line of a module. */
export interface ModulePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The first frame of a stack that is in a module of the services' folder. */
export function placeInStack(stack: string): ModulePlace | undefined {
  const frame = new RegExp(`(file://[^\\s()]+?)\\?${parameter}=\\w+:(\\d+):(\\d+)`).exec(stack);
  if (frame === null) return undefined;
  const [, url, line, column] = frame as unknown as [string, string, string, string];
  return { path: fileURLToPath(url), line: Number(line), column: Number(column) };
}
