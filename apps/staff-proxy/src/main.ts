#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError, loadSettings } from '@rostergate/runtime/config';
import { ListenError, listen, runUntilSignalled } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createTelemetry } from '@rostergate/runtime/telemetry';
import { createUpstream } from '@rostergate/runtime/upstream';
import { proxyDocument } from '@rostergate/staff-spec';
import { createApp } from './app.ts';
import { createCommand, type GivenOptions } from './command-line.ts';
import { type KeysFile, parseKeysFile } from './keys-file.ts';
import { settingsPrefix, settingsSchema, upstreamOptions } from './settings.ts';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

async function serve(options: GivenOptions): Promise<void> {
  const settings = loadSettings({ schema: settingsSchema, prefix: settingsPrefix, env: process.env, args: options });
  const keysFile = await loadKeysFile(settings.keys_file);
  const telemetry = createTelemetry({
    service: 'staff-proxy',
    version,
    clock: monotonicNow,
    logLevel: settings.log_level,
  });
  const upstream = createUpstream(upstreamOptions(settings));
  const { server, beginDrain } = createApp(
    { settings, keysFile },
    { document: proxyDocument, version, clock: monotonicNow, randomBytes, telemetry, request: upstream.request },
  );
  const running = runUntilSignalled(server, { beforeClose: beginDrain, drainMs: settings.drain_ms });
  const { address, port } = await listen(server, { ...settings, portSetting: `${settingsPrefix}PORT` });
  telemetry.log.info({ address, port, upstream: settings.upstream_url.href, keys: keysFile.keys.length }, 'listening');
  telemetry.log.info(await running, 'stopped');
  await upstream.close();
  await telemetry.flush();
}

async function loadKeysFile(path: string): Promise<KeysFile> {
  try {
    return parseKeysFile(await readFile(path, 'utf8'), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const detail = `The file cannot be read (${(error as NodeJS.ErrnoException).code}).`;
    throw new ConfigError([{ where: path, field: 'keys_file', detail }]);
  }
}

try {
  await createCommand(version, serve).parseAsync();
} catch (error) {
  // What the operator can mend is told in a line or two, without a stack.
  console.error(error instanceof ConfigError || error instanceof ListenError ? error.message : error);
  process.exitCode = 1;
}
