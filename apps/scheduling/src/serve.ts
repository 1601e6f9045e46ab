import { randomBytes } from 'node:crypto';
import { monotonicNow } from '@rostergate/access/limits';
import { loadConfigFile } from '@rostergate/config';
import { CommandFailure, createTerminal, exitCodes, writeAddress } from '@rostergate/config/command';
import { listen, logCut, portSettingOf, runUntilSignalled, serveGuarded } from '@rostergate/server/lifecycle';
import { createTelemetry, describeCause, loadTracing } from '@rostergate/server/telemetry';
import { schedulingDocument } from '@rostergate/staff-spec';
import { parseAccountsFile } from './accounts/accounts-file.ts';
import type { ScryptCost } from './accounts/password.ts';
import { createApp } from './app.ts';
import { loadSettings, type Settings, type SettingsOptions, settingsPrefix } from './settings.ts';
import { describeDatabaseError } from './store/database-error.ts';
import { openStore } from './store/open-store.ts';
import type { OpenStore } from './store/staff-store.ts';
import { serveWebhooks } from './webhooks/serve-webhooks.ts';

export interface ServeOptions extends SettingsOptions {
  readonly version: string;
  readonly passwordCost?: ScryptCost | undefined;
}

/**
 * Serves until a signal stops the process.
 * @throws ConfigError with every fault, ListenError, StrayError, and CommandFailure for a database error
 */
export async function serve({ version, passwordCost, ...options }: ServeOptions): Promise<void> {
  // Hides the arguments from `ps`.
  process.title = 'rostergate-scheduling';
  const settings = loadSettings(options);
  const telemetry = createTelemetry({
    service: 'scheduling',
    version,
    clock: monotonicNow,
    logLevel: settings.log_level,
    tracing: await loadTracing({ service: 'scheduling', version, env: process.env }),
  });
  const { log } = telemetry;
  const opened = await openForServing(settings).catch((error: unknown) => {
    const message = describeDatabaseError(error, settings);
    throw message === undefined ? error : new CommandFailure(message, exitCodes.failed, { cause: error });
  });
  const serveForm =
    settings.form === 'vendor' ? (await import('./vendor/serve-vendor-form.ts')).serveVendorForm : undefined;
  const report = (text: string, error: unknown) => log.error({ err: describeCause(error) }, text);
  await serveGuarded({ from: process, report }, async ({ signals, release }) => {
    const { server, beginDrain } = createApp(settings, {
      ...{ document: schedulingDocument, version, clock: monotonicNow, randomBytes, telemetry, serveForm, ...opened },
      passwordCost,
    });
    const clocks = { clock: Date.now, steadyClock: monotonicNow };
    const deliverer = serveWebhooks(settings, { ...opened, telemetry, ...clocks, random: Math.random });
    let delivered: Promise<void> | undefined;
    const running = runUntilSignalled(server, {
      signals,
      beforeClose() {
        beginDrain();
        delivered = deliverer.stop(settings.drain_ms);
      },
      drainMs: settings.drain_ms,
      onCut: logCut(log),
    });
    const where = { ...settings, portSetting: portSettingOf(options.args ?? {}, settingsPrefix) };
    const { address, port } = await listen(server, where).catch(async (error) => {
      await deliverer.stop(0);
      await opened.store.close();
      throw error;
    });
    log.info({ address, port, database: settings.database_url ? 'postgresql' : settings.database_file }, 'listening');
    writeAddress(createTerminal(process).err, { address, port, isSecure: false });
    release();
    const { signal, cutConnections } = await running;
    await delivered;
    log.info({ signal, cut_connections: cutConnections }, 'stopped');
    await opened.store.close();
    await telemetry.flush();
  });
}

/** Opens the database and adds the demo companies and the accounts. The first account's company is the demo company. */
async function openForServing(settings: Settings): Promise<OpenStore> {
  const { accounts_file, seed } = settings;
  const entries =
    accounts_file === undefined ? [] : await loadConfigFile(accounts_file, 'accounts_file', parseAccountsFile);
  const opened = await openStore(settings, { clock: monotonicNow });
  if (seed === 'demo') await opened.store.seedDemo({ companyKey: entries[0]?.companyKey });
  await opened.accounts.applyFile(entries);
  return opened;
}
