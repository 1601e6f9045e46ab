#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createProcessTerminal, createServeCommand, type GivenOptions, runCommand } from '@rostergate/runtime/command';
import { loadConfigFile, loadSettings } from '@rostergate/runtime/config';
import { listen, runUntilSignalled, serveGuarded } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createTelemetry, describeCause, loadTracing } from '@rostergate/runtime/telemetry';
import { createUpstreamRegistry } from '@rostergate/runtime/upstream';
import { proxyDocument } from '@rostergate/staff-spec';
import { createApp } from './app.ts';
import { parseKeysFile } from './keys-file.ts';
import { connectionOptions, settingsPrefix, settingsSchema } from './settings.ts';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

async function serve(options: GivenOptions): Promise<void> {
  // Once a listening server is in `ps` under its own name, no argument shows there.
  process.title = 'rostergate-staff-proxy';
  const settings = loadSettings({ schema: settingsSchema, prefix: settingsPrefix, env: process.env, args: options });
  const keysFile = await loadConfigFile(settings.keys_file, 'keys_file', parseKeysFile);
  const telemetry = createTelemetry({
    service: 'staff-proxy',
    version,
    clock: monotonicNow,
    logLevel: settings.log_level,
    countsKeys: true,
    tracing: await loadTracing({ service: 'staff-proxy', version, env: process.env }),
  });
  const upstreams = createUpstreamRegistry({
    clock: monotonicNow,
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
    upstream: connectionOptions(settings),
  });
  const { server, beginDrain } = createApp(
    { settings, keysFile, tls: undefined },
    { document: proxyDocument, version, clock: monotonicNow, randomBytes, telemetry, upstreams },
  );
  const { log } = telemetry;
  const tell = (text: string, error: unknown) => log.error({ err: describeCause(error) }, text);
  await serveGuarded({ from: process, tell }, async ({ signals, release }) => {
    const running = runUntilSignalled(server, { signals, beforeClose: beginDrain, drainMs: settings.drain_ms });
    const { address, port } = await listen(server, { ...settings, portSetting: `${settingsPrefix}PORT` });
    log.info({ address, port, upstream: settings.upstream_url.href, keys: keysFile.keys.length }, 'listening');
    release();
    const { signal, cutConnections } = await running;
    log.info({ signal, cut_connections: cutConnections }, 'stopped');
    await upstreams.destroy();
    await telemetry.flush();
  });
}

const command = createServeCommand({
  name: 'rostergate-staff-proxy',
  description: 'Fronts a Staff Member API: callers hold keys, the API sees one well-behaved account.',
  version,
  schema: settingsSchema,
  prefix: settingsPrefix,
  serve,
});
process.exitCode = await runCommand(command, { args: process.argv.slice(2), terminal: createProcessTerminal(process) });
