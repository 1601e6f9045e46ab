import { afterAll } from 'vitest';
import { createEndings } from './at-end.ts';
import { type GatewayProcess, toGatewayProcess } from './gateway-process.ts';
import { reload } from './server-process.ts';
import { filesOf, type GatewayFolder, type SpawnedGateway, spawnGateway } from './spawn-gateway.ts';

export interface SharedGateway {
  /** Serves a valid configuration. Files of earlier ones stay, and metrics and the counts of limits go on. */
  serve(configuration: GatewayFolder): Promise<GatewayProcess>;
  /** Offers a configuration with faults; resolves with the faults. */
  reject(configuration: GatewayFolder): Promise<string>;
}

/**
 * Returns a gateway for all tests of a file, which reads the configuration of each test in turn: that takes a tenth of
 * the CPU time of a start. It has no file watcher, so that it reads complete configurations only.
 */
export function shareGateway(env: Readonly<Record<string, string>> = {}): SharedGateway {
  const { atEnd, end } = createEndings();
  let started: Promise<SpawnedGateway> | undefined;
  afterAll(end);

  async function offer({ settings, ...rest }: GatewayFolder) {
    const configuration = { ...rest, settings: { reload_enabled: false, ...settings } };
    started ??= spawnGateway({ settings: { reload_enabled: false }, env }, atEnd);
    const gateway = await started;
    for (const [path, text] of Object.entries(filesOf(configuration))) await gateway.write(path, text);
    const { faults } = await reload(gateway);
    return { gateway, faults: faults as readonly string[] | undefined };
  }

  return {
    async serve(configuration) {
      const { gateway, faults } = await offer(configuration);
      if (faults !== undefined) throw new Error(faults.join('\n'));
      gateway.forget();
      return toGatewayProcess({
        ...gateway,
        write: async (path, content) => {
          await gateway.write(path, content);
          gateway.child.kill('SIGHUP');
        },
      });
    },
    async reject(configuration) {
      const { gateway, faults } = await offer(configuration);
      if (faults === undefined) throw new Error(`The configuration was not rejected:\n${gateway.output()}`);
      return faults.join('\n');
    },
  };
}
