import { type ProxyOptions, type ProxyProcess, startProxy } from './proxy-process.ts';
import { type SharedServer, shareServer } from './shared-server.ts';
import { type ProxyFolder, writeInto } from './spawn-proxy.ts';

type Settings = NonNullable<ProxyFolder['settings']>;

/** Returns a proxy for all tests of a file, whose settings differ. It reads an edit at SIGHUP. */
export function shareProxy(options: Omit<ProxyOptions, 'settings'>): SharedServer<Settings, ProxyProcess> {
  const withoutWatcher = (settings: Settings) => ({ rate_limit_enabled: false, reload_enabled: false, ...settings });
  return shareServer<Settings, ProxyProcess>(
    (settings, atEnd) => startProxy({ ...options, settings: withoutWatcher(settings) }, atEnd),
    (proxy, settings) => writeInto(proxy.folder, { 'staff-proxy.json': withoutWatcher(settings) }),
  );
}
