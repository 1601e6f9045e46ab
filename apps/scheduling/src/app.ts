import type { Server } from 'node:http';
import { createPageHandlers } from '@rostergate/pages';
import { createRosterHandlers } from '@rostergate/roster-page';
import { type ContractRouter, createLocalSender, createServer, type OpenApiDocument } from '@rostergate/server';
import { createHealthHandlers, type DependencyStatus } from '@rostergate/server/lifecycle';
import type { Telemetry } from '@rostergate/server/telemetry';
import { createStaffRouter } from '@rostergate/staff-server';
import { createAccessTokens, createAuthenticate } from './accounts/access-tokens.ts';
import type { Account, AccountStore } from './accounts/account-store.ts';
import { markOf } from './accounts/login-records.ts';
import { createLoginThrottle } from './accounts/login-throttle.ts';
import { passwordCost, type ScryptCost } from './accounts/password.ts';
import { createBatchHandler } from './odata-root/batch/batch-handler.ts';
import { withKeysInParentheses } from './odata-root/key-in-parentheses.ts';
import { formODataError } from './odata-root/odata-error.ts';
import { createODataHandlers } from './odata-root/odata-handlers.ts';
import { createCatalogueHandlers } from './operations/catalogues.ts';
import { createCountStaffMembers } from './operations/count-staff-members.ts';
import { createLogin } from './operations/login.ts';
import { createMetadataHandlers } from './operations/metadata.ts';
import { createStaffHandlers } from './operations/staff-handlers.ts';
import type { Settings } from './settings.ts';
import type { StaffStore } from './store/staff-store.ts';

export interface AppDependencies {
  readonly document: OpenApiDocument;
  readonly version: string;
  /** Milliseconds since the epoch, monotonic. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly telemetry: Telemetry;
  readonly store: StaffStore;
  readonly accounts: AccountStore;
  /** The cost of hashing a password. Tests lower it. */
  readonly passwordCost?: ScryptCost | undefined;
  /** Serves the paths of the contract in another form; by default they are served as declared. */
  readonly serveForm?:
    | ((router: ContractRouter, settings: Settings, clock: () => number) => ContractRouter)
    | undefined;
}

export interface App {
  /** Serves every operation; does not listen yet. */
  readonly server: Server;
  /** Readiness fails from now on, because the server is about to stop. */
  beginDrain(): void;
}

/** Builds the Staff Member API over an open store. */
export function createApp(settings: Settings, dependencies: AppDependencies): App {
  const { document, version, clock, randomBytes, telemetry, store, accounts } = dependencies;
  const { passwordCost: cost = passwordCost } = dependencies;
  const tokens = createAccessTokens({ store: accounts, clock, randomBytes, lifetimeS: settings.token_lifetime_s });
  const throttle = createLoginThrottle({
    clock,
    isKnown: (email, address) => accounts.isKnownAddress(email, markOf(email, address), clock()),
  });
  const { beginDrain, ...healthHandlers } = createHealthHandlers({
    version,
    clock,
    startedMs: clock(),
    dependencies: { database: () => databaseStatus(store) },
  });
  const contract: ContractRouter = createStaffRouter<Account>(
    {
      ...healthHandlers,
      getMetrics: telemetry.metricsHandlers.getMetrics,
      ...createPageHandlers({ document: () => document, title: document.info.title, home: 'Roster' }),
      ...createRosterHandlers({ document }),
      login: createLogin({ accounts, tokens, throttle, cost }),
      ...createStaffHandlers(store, clock),
    },
    {
      document,
      extraHandlers: {
        ...createMetadataHandlers(),
        ...createODataHandlers(store, clock),
        runODataBatch: createBatchHandler({
          send: createLocalSender(() => server),
          ...{ router: () => contract, clock, bytesMax: settings.body_bytes_max },
        }),
        countStaffMembers: createCountStaffMembers(store, clock),
        ...createCatalogueHandlers(store, settings.body_bytes_max),
      },
      formProblem: formODataError,
      authenticate: createAuthenticate(tokens),
      observe: telemetry.observe,
      startTrace: telemetry.startTrace,
      clock,
      bodyBytesMax: settings.body_bytes_max,
    },
  );
  const router = dependencies.serveForm?.(contract, settings, clock) ?? withKeysInParentheses(contract);
  const server: Server = createServer({ router: () => router, onRejection: telemetry.observeRejection });
  return { server, beginDrain };
}

async function databaseStatus(store: Pick<StaffStore, 'ping'>): Promise<DependencyStatus> {
  try {
    await store.ping();
    return { status: 'ready' };
  } catch {
    return { status: 'unavailable' };
  }
}
