#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createProcessTerminal, createServeCommand, type GivenOptions, runCommand } from '@rostergate/runtime/command';
import { loadConfigFile, loadSettings } from '@rostergate/runtime/config';
import { listen, runUntilSignalled } from '@rostergate/runtime/lifecycle';
import { monotonicNow } from '@rostergate/runtime/limits';
import { createTelemetry, loadTracing } from '@rostergate/runtime/telemetry';
import { document } from '@rostergate/staff-spec';
import { parseAccountsFile } from './accounts/accounts-file.ts';
import { createApp } from './app.ts';
import { type Settings, settingsPrefix, settingsSchema } from './settings.ts';
import { type OpenStore, openSqliteStore } from './store/sqlite-store.ts';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

async function serve(options: GivenOptions): Promise<void> {
  const settings = loadSettings({ schema: settingsSchema, prefix: settingsPrefix, env: process.env, args: options });
  const telemetry = createTelemetry({
    service: 'scheduling',
    version,
    clock: monotonicNow,
    logLevel: settings.log_level,
    tracing: await loadTracing({ service: 'scheduling', version, env: process.env }),
  });
  const opened = await openStore(settings);
  const { server, beginDrain } = createApp(settings, {
    document,
    version,
    clock: monotonicNow,
    randomBytes,
    telemetry,
    ...opened,
  });
  const running = runUntilSignalled(server, { beforeClose: beginDrain, drainMs: settings.drain_ms });
  const { address, port } = await listen(server, { ...settings, portSetting: `${settingsPrefix}PORT` });
  telemetry.log.info({ address, port, database: settings.database_file }, 'listening');
  const { signal, cutConnections } = await running;
  telemetry.log.info({ signal, cut_connections: cutConnections }, 'stopped');
  await opened.store.close();
  await telemetry.flush();
}

/** The database with its demo companies and accounts. The first account's company is the demo company. */
async function openStore({ database_file, accounts_file, seed }: Settings): Promise<OpenStore> {
  const entries =
    accounts_file === undefined ? [] : await loadConfigFile(accounts_file, 'accounts_file', parseAccountsFile);
  const opened = await openSqliteStore({ file: database_file });
  if (seed === 'demo') await opened.store.seedDemo({ companyKey: entries[0]?.companyKey });
  await opened.accounts.upsert(entries);
  return opened;
}

const command = createServeCommand({
  name: 'rostergate-scheduling',
  description: 'Serves the Staff Member API over a database.',
  version,
  schema: settingsSchema,
  prefix: settingsPrefix,
  serve,
});
process.exitCode = await runCommand(command, { args: process.argv.slice(2), terminal: createProcessTerminal(process) });
