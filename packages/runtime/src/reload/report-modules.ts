import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Preloaded into a supervised process: tells its parent of each file of code that is loaded, so that it can be watched.
// What comes from an installed package is left out, and so is what is loaded under a version of its own: whoever gives
// versions loads it anew by himself.

/** What a supervised process says. */
export interface ModuleReport {
  /** By path, when its loading began, in milliseconds since the epoch. */
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
// Without its parent nobody would ever end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
