import type { AddressInfo, Server } from 'node:net';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The option or variable that sets the port, for the message of a port in use. */
  readonly portSetting?: string;
}

/** Returns the option or variable that sets the port of a server. The option overrides the variable. */
export function portSettingOf(args: Readonly<Record<string, unknown>>, prefix: string): string {
  return args.port === undefined ? `${prefix}PORT` : '--port';
}

/** A server that could not listen. The message is one line with the remedy. */
export class ListenError extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ListenError';
    this.code = code;
  }
}

/**
 * Listens; resolves with the address once connections are accepted.
 * @throws ListenError
 */
export function listen(server: Server, { host, port, portSetting }: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      server.off('listening', succeed);
      reject(toListenError(error, host, port, portSetting));
    };
    const succeed = () => {
      server.off('error', fail);
      resolve(server.address() as AddressInfo);
    };
    server.once('error', fail);
    server.once('listening', succeed);
    server.listen({ host, port });
  });
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number, setting = 'the port'): ListenError {
  const { code = 'unknown' } = error;
  const remedy = remedies[code]?.(host, port, setting) ?? `Cannot listen on ${host}, port ${port} (${code}).`;
  return new ListenError(remedy, code, error);
}

const remedies: Readonly<Record<string, (host: string, port: number, setting: string) => string>> = {
  EADDRINUSE: (host, port, setting) =>
    `Port ${port} on ${host} is in use. Stop the process that uses it, or set ${setting} to another.`,
  EACCES: (host, port, setting) =>
    `This user may not use port ${port} on ${host}. Set ${setting} to 1024 or above, or grant the right to low ports.`,
  EADDRNOTAVAIL: (host) =>
    `This machine has no address ${host}. Set the host to one of its addresses, such as 127.0.0.1.`,
  ENOTFOUND: (host) => `The host ${host} has no address. Set it to an address, such as 127.0.0.1.`,
};
