/** What is wrong with a configuration, and where: a JSON pointer (RFC 6901) into the file. */
export interface ConfigurationFault {
  readonly pointer: string;
  readonly detail: string;
}

/** Notes a fault at a place below the one being read. */
export type Report = (path: readonly PropertyKey[], detail: string) => void;

export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
