import { afterAll } from 'vitest';
import { createEndings } from './at-end.ts';
import { type ProxyOptions, type ProxyProcess, startProxy } from './proxy-process.ts';
import { reload } from './server-process.ts';
import { type ProxyFolder, writeInto } from './spawn-proxy.ts';

type Settings = NonNullable<ProxyFolder['settings']>;

export interface SharedProxy {
  /** Applies valid settings. Metrics, the counts of limits and issued tokens go on. */
  serve(settings: Settings): Promise<ProxyProcess>;
  /** Offers settings with faults; resolves with the faults. */
  reject(settings: Settings): Promise<string>;
}

/**
 * Returns a proxy for all tests of a file, which reads the settings of each test in turn: that takes a tenth of the CPU
 * time of a start. It has no file watcher: an edit is read at SIGHUP.
 */
export function shareProxy(options: Omit<ProxyOptions, 'settings'>): SharedProxy {
  const { atEnd, end } = createEndings();
  let started: Promise<ProxyProcess> | undefined;
  afterAll(end);

  async function offer(settings: Settings) {
    started ??= startProxy({ ...options, settings: { reload_enabled: false, ...settings } }, atEnd);
    const proxy = await started;
    await writeInto(proxy.folder, {
      'staff-proxy.json': { rate_limit_enabled: false, reload_enabled: false, ...settings },
    });
    const { faults } = await reload(proxy);
    return { proxy, faults: faults as readonly string[] | undefined };
  }

  return {
    async serve(settings) {
      const { proxy, faults } = await offer(settings);
      if (faults !== undefined) throw new Error(faults.join('\n'));
      proxy.forget();
      return proxy;
    },
    async reject(settings) {
      const { proxy, faults } = await offer(settings);
      if (faults === undefined) throw new Error(`The settings were not rejected:\n${proxy.output()}`);
      return faults.join('\n');
    },
  };
}
