import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { dirname, resolve } from 'node:path';
import { createFileKeyStore, type KeyStore, openKeyStore } from '@rostergate/access/key-store';
import { createAdminRouter } from '@rostergate/admin-server';
import { document } from '@rostergate/admin-spec';
import type { ReloadState } from '@rostergate/config/reload';
import type { Settings } from '@rostergate/endpoints';
import { createPageHandlers } from '@rostergate/pages';
import { createServer, type Limit, type OpenApiDocument, type Principal } from '@rostergate/server';
import { timeoutsOf } from '@rostergate/server/edge';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import type { Telemetry } from '@rostergate/server/telemetry';
import type { Generation } from '../generation.ts';
import { readKeysFile } from '../sources/read-keys.ts';
import type { Configuration } from '../sources/read-sources.ts';
import type { Usage } from '../usage/usage.ts';
import { createAdminHandlers } from './admin-handlers.ts';

/** Creates the admin server of an app; never listens. */
export type CreateAdminServer = (app: AdminServerOptions) => Server;

export interface AdminServerOptions {
  /** The configuration at the start. */
  readonly configuration: Configuration;
  /** Returns the generation that serves new requests, whose keys and limits apply. */
  readonly current: () => Generation;
  readonly telemetry: Telemetry;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds, for durations. */
  readonly steadyClock: () => number;
  readonly configurationStatus: () => DependencyStatus;
  readonly usage: Pick<Usage, 'read' | 'status'>;
}

/** Opens the key store of the settings. Returns the function that creates the admin server. */
export async function loadAdminServer(
  settings: Readonly<Settings>,
  settingsFile: string,
  reloadState: () => ReloadState,
): Promise<CreateAdminServer> {
  let currentSettings = () => settings;
  const check = (text: string, file: string) => void readKeysFile(text, file, Object.keys(currentSettings().plans));
  // A new key_store_url requires a restart, a new keys_file does not.
  const shared = settings.key_store_url === '' ? undefined : await openKeyStore(settings, check);
  let ofFile: { readonly path: string; readonly store: KeyStore } | undefined;
  function currentStore(): KeyStore {
    if (shared !== undefined) return shared;
    const path = resolve(dirname(settingsFile), currentSettings().keys_file);
    if (ofFile?.path !== path) ofFile = { path, store: createFileKeyStore({ path, check }) };
    return ofFile.store;
  }
  return ({ configuration, current, telemetry, clock, steadyClock, configurationStatus, usage }) => {
    currentSettings = () => current().settings;
    const limit: Limit<Principal> = (context) => current().limit?.(context);
    limit.countAddress = (context) => current().limit?.countAddress?.(context);
    const { getOpenapiDocument } = createPageHandlers({
      document: () => document as OpenApiDocument,
      title: document.info.title,
    });
    const router = createAdminRouter<Principal>(
      {
        ...createAdminHandlers({
          ...{ currentStore, clock, current, configurationStatus, usage, reloadState },
          random: randomBytes,
          log: telemetry.log,
        }),
        getOpenapiDocument,
      },
      {
        authenticate: (context) => current().authenticateKey(context),
        limit,
        observe: telemetry.observe,
        startTrace: telemetry.startTrace,
        clock: steadyClock,
        bodyBytesMax: 64 * 1024,
      },
    );
    const server = createServer({
      router: () => router,
      timeouts: timeoutsOf(configuration.settings),
      tls: configuration.tls,
      onRejection: telemetry.observeRejection,
    });
    server.on('close', () => void shared?.close());
    return server;
  };
}
