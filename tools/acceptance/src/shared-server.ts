import { afterAll } from 'vitest';
import { type AtEnd, createEndings } from './at-end.ts';
import { reload, type ServerProcess } from './server-process.ts';

export interface SharedServer<C, S> {
  /** Serves a valid configuration. Metrics, the counts of limits and the like go on. */
  serve(configuration: C): Promise<S>;
  /** Offers a configuration with faults; resolves with the faults. */
  reject(configuration: C): Promise<string>;
}

/**
 * Returns a server for all tests of a file, which reads the configuration of each test in turn: that takes a tenth of
 * the CPU time of a start. It must have no file watcher, so that it reads complete configurations only.
 */
export function shareServer<C, S extends ServerProcess>(
  start: (configuration: C, atEnd: AtEnd) => Promise<S>,
  write: (server: S, configuration: C) => Promise<void>,
): SharedServer<C, S> {
  const { atEnd, end } = createEndings();
  let started: Promise<S> | undefined;
  afterAll(end);

  async function offer(configuration: C) {
    started ??= start(configuration, atEnd);
    const server = await started;
    await write(server, configuration);
    const { faults } = await reload(server);
    return { server, faults: faults as readonly string[] | undefined };
  }

  return {
    async serve(configuration) {
      const { server, faults } = await offer(configuration);
      if (faults !== undefined) throw new Error(faults.join('\n'));
      server.forget();
      return server;
    },
    async reject(configuration) {
      const { server, faults } = await offer(configuration);
      if (faults === undefined) throw new Error(`The configuration was not rejected:\n${server.output()}`);
      return faults.join('\n');
    },
  };
}
