import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Preloaded into a supervised process: reports each loaded file of code to the parent, which watches it. It omits
// installed packages, and URLs with a query: a service is reloaded under a new query without a restart.

/** The message of a supervised process. */
export interface ModuleReport {
  /** When loading began, in milliseconds since the epoch, by path. */
  readonly modules: Readonly<Record<string, number>>;
}

let loaded: Record<string, number> = {};
let hasLoaded = false;

function send(): void {
  const report: ModuleReport = { modules: loaded };
  loaded = {};
  hasLoaded = false;
  if (process.connected) process.send?.(report);
}

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:') && !url.includes('?') && !url.includes('/node_modules/')) {
      if (!hasLoaded) setImmediate(send).unref();
      hasLoaded = true;
      loaded[fileURLToPath(url)] = Date.now();
    }
    return next(url, context);
  },
});

process.on('exit', send);
// Without its parent, no process would stop it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
