#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError, createServeCommand, type GivenOptions } from '@rostergate/runtime/config';
import { ListenError, listen, runUntilSignalled } from '@rostergate/runtime/lifecycle';
import { Agent, fetch as undiciFetch } from 'undici';
import { type App, createApp } from './app.ts';
import { loadConfiguration } from './configuration.ts';
import { createBuiltInServices } from './services/index.ts';
import { environmentPrefix, settingsSchema } from './settings.ts';

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

const version = readVersion();

async function serve(args: GivenOptions): Promise<void> {
  const { env } = process;
  const named = env.ROSTERGATE_SETTINGS_FILE;
  const agent = new Agent({ connect: { timeout: 2_000 } });
  let app: App | undefined;
  const configuration = loadConfiguration({
    settingsFile: named || defaultSettingsFile(),
    isSettingsFileNamed: Boolean(named),
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

/** Beside the command, or in its config folder. */
function defaultSettingsFile(): string {
  return existsSync('settings.json') ? 'settings.json' : 'config/settings.json';
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // A key may be asked for as if it were a path: a folder of that name, or a name too long, is no file.
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function readVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

/** What went wrong on the way out, without the address: it may hold a password. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : error instanceof Error ? error.name : 'unknown';
}

try {
  await createServeCommand({
    name: 'rostergate',
    description: 'Serves the endpoints of settings.json and endpoints.json.',
    version,
    schema: settingsSchema,
    prefix: environmentPrefix,
    serve,
  }).parseAsync();
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof ListenError)) throw error;
  process.stderr.write(`rostergate: ${error.message}\n`);
  process.exitCode = 1;
}
