import { byNumber, type PromiseTrial } from '../src/promises/define-promise.ts';
import { promise as reload } from './01-reload.ts';
import { promise as generations } from './02-generations.ts';
import { promise as badConfig } from './03-bad-config.ts';
import { promise as styles } from './04-edit-styles.ts';
import { promise as reloadLeaks } from './05-reload-leaks.ts';
import { promise as drain } from './06-drain.ts';
import { promise as workerDeath } from './07-worker-death.ts';
import { promise as honestHealth } from './08-honest-health.ts';
import { promise as exactLimit } from './09-exact-limit.ts';
import { promise as noDoubleBurst } from './10-no-double-burst.ts';
import { promise as lockout } from './11-lockout.ts';
import { promise as spoofing } from './12-spoofing.ts';
import { promise as ipv6 } from './13-ipv6.ts';
import { promise as trueHeaders } from './14-true-headers.ts';
import { promise as storeDown } from './15-store-down.ts';
import { promise as badKey } from './16-bad-key.ts';
import { promise as noUnauthenticatedAccess } from './17-no-unauthenticated-access.ts';
import { promise as conflictingKeys } from './18-conflicting-keys.ts';
import { promise as noKeyAnywhere } from './19-no-key-anywhere.ts';
import { promise as malformedInput } from './20-malformed-input.ts';
import { promise as exactStatuses } from './21-exact-statuses.ts';
import { promise as slowClients } from './22-slow-clients.ts';
import { promise as noStall } from './23-no-stall.ts';
import { promise as noInjection } from './24-no-injection.ts';
import { promise as odataRight } from './25-odata-right.ts';
import { promise as acknowledgedWrites } from './26-acknowledged-writes.ts';
import { promise as upstreamFaults } from './27-upstream-faults.ts';
import { promise as safeRetries } from './28-safe-retries.ts';
import { promise as noForgery } from './29-no-forgery.ts';
import { promise as tenancy } from './30-tenancy.ts';
import { promise as agreedConfiguration } from './31-agreed-configuration.ts';
import { promise as frozenWorker } from './32-frozen-worker.ts';
import { promise as boundedErrors } from './33-bounded-errors.ts';
import { promise as earlyRejection } from './34-early-rejection.ts';
import { promise as incrementalSync } from './35-incremental-sync.ts';
import { promise as rollingUpgrade } from './36-rolling-upgrade.ts';
import { promise as frozenDatabase } from './37-frozen-database.ts';
import { promise as vanishedPeers } from './38-vanished-peers.ts';
import { promise as clockSteps } from './39-clock-steps.ts';
import { promise as freeDocumentation } from './40-free-documentation.ts';
import { promise as soak } from './soak.ts';

/** All promises by number, then the soak. */
export const promises: readonly PromiseTrial[] = [
  reload,
  generations,
  badConfig,
  styles,
  reloadLeaks,
  drain,
  workerDeath,
  honestHealth,
  exactLimit,
  noDoubleBurst,
  lockout,
  spoofing,
  ipv6,
  trueHeaders,
  storeDown,
  badKey,
  noUnauthenticatedAccess,
  conflictingKeys,
  noKeyAnywhere,
  malformedInput,
  exactStatuses,
  slowClients,
  noStall,
  noInjection,
  odataRight,
  acknowledgedWrites,
  upstreamFaults,
  safeRetries,
  noForgery,
  tenancy,
  agreedConfiguration,
  frozenWorker,
  boundedErrors,
  earlyRejection,
  incrementalSync,
  rollingUpgrade,
  frozenDatabase,
  vanishedPeers,
  clockSteps,
  freeDocumentation,
  soak,
].sort(byNumber);
