import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { listen, runUntilSignalled } from '@rostergate/runtime/lifecycle';
import { Agent, fetch as undiciFetch } from 'undici';
import { type App, createApp } from './app.ts';
import { loadConfiguration } from './configuration.ts';
import { createBuiltInServices } from './services/index.ts';
import type { SettingsFile } from './settings-file.ts';

export interface ServeOptions {
  readonly version: string;
  readonly settingsFile: SettingsFile;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From the command line, by field name. */
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Serves until a signal says to stop.
 * @throws ConfigError with every fault, and ListenError.
 */
export async function serve({ version, settingsFile, env, args }: ServeOptions): Promise<void> {
  const agent = new Agent({ connect: { timeout: 2_000 } });
  let app: App | undefined;
  const configuration = loadConfiguration({
    settingsFile: settingsFile.path,
    isSettingsFileNamed: settingsFile.isNamed,
    env,
    args,
    readText,
    createServices: (settings) =>
      createBuiltInServices({
        cryptoUpstreamUrl: settings.crypto_upstream_url,
        fetch: (url, init) => undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>,
        clock: Date.now,
        wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
        onCryptoFailure: (error) => app?.telemetry.log.warn({ error: reasonOf(error) }, 'crypto ticker unreachable'),
      }),
  });
  app = createApp(configuration, { version });
  const { server, telemetry, beginDrain } = app;
  const { settings, endpoints, keys } = configuration;
  const running = runUntilSignalled(server, { drainMs: settings.drain_ms, beforeClose: beginDrain });
  const { address, port } = await listen(server, {
    host: settings.host,
    port: settings.port,
    portSetting: 'ROSTERGATE_PORT',
  });
  telemetry.log.info({ address, port, endpoints: endpoints.length, keys: keys.length }, 'listening');
  const { signal, cutConnections } = await running;
  await agent.destroy();
  telemetry.log.info({ signal, cut_connections: cutConnections }, 'stopped');
  await telemetry.flush();
}

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // A key may be asked for as if it were a path: a folder of that name, or a name too long, is no file.
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** What went wrong on the way out, without the address: it may hold a password. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : error instanceof Error ? error.name : 'unknown';
}
