import type { EventEmitter } from 'node:events';
import { dependentStatesOf } from '@rostergate/config/reload';
import { handleStrayErrors, holdSignals, portSettingOf, StrayError } from '@rostergate/server/lifecycle';
import { describeCause } from '@rostergate/server/telemetry';
import { createConfigurationReader } from './configuration-reader.ts';
import { serveProcess } from './serve-process.ts';
import { environmentPrefix, type SettingsFile } from './settings-file.ts';
import { sealEnvironment } from './sources/read-keys.ts';
import { findServiceOrigin, keepServicesFromExit } from './sources/service-origin.ts';
import { createEditTrial } from './sources/try-edit.ts';

export interface ServeOptions {
  readonly version: string;
  readonly settingsFile: SettingsFile;
  /** Secrets are removed from it. */
  readonly env: Record<string, string | undefined>;
  /** From the command line, by field name. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Where signals come from. */
  readonly signals?: Pick<EventEmitter, 'on' | 'off'>;
}

/**
 * Serves, in one process or in workers, until a signal stops it, and reloads its configuration when files change.
 * @throws ConfigError with every fault, ListenError, and StrayError when an uncaught error has stopped it.
 */
export async function serve({ version, settingsFile, env, args, signals = process }: ServeOptions): Promise<void> {
  const held = holdSignals(signals);
  // Hides the arguments in `ps`.
  process.title = 'rostergate';
  const sealed = await sealEnvironment(env, settingsFile.path);
  const given = { settingsFile: settingsFile.path, isSettingsFileNamed: settingsFile.isNamed, env: sealed, args };
  const reader = createConfigurationReader({ ...given, tryEdit: createEditTrial({ version }) });
  const strays = handleStrayErrors({
    from: process,
    report: (text, error) => reader.notes.add({ text, level: 'error', err: describeCause(error) }),
    stop: () => held.stop('uncaughtException'),
    findOrigin: findServiceOrigin,
  });
  keepServicesFromExit();

  /** Reads the files. A separate function, so that the texts of key files are garbage-collected. */
  async function prepare(): Promise<(() => Promise<void>) | undefined> {
    const { source, upstreams } = reader;
    const reading = await Promise.race([source.read(), held.stopped]);
    if (reading === undefined) return undefined;
    if ('fault' in reading) throw reading.fault;
    const { configuration, sources, states } = reading;
    const portSetting = portSettingOf(args, environmentPrefix);
    const fixed = await dependentStatesOf(sources, states);
    const common = {
      version,
      settingsFile: settingsFile.path,
      configuration,
      sources,
      fixed,
      source,
      notes: reader.notes,
      held,
      portSetting,
      upstreams,
    };
    if (configuration.settings.workers === 1) return () => serveProcess(common);
    const files = await states();
    const { servePrimary } = await import('./workers/primary.ts');
    return () => servePrimary({ ...common, ...given, files });
  }

  try {
    const run = await prepare();
    if (run !== undefined) {
      await run();
      // Work that services left running must not keep the process alive.
      setTimeout(() => process.exit(), 1_000).unref();
    }
    const error = strays.deadly();
    if (error !== undefined) throw new StrayError(error);
  } finally {
    held.end();
    await reader.close();
  }
}
