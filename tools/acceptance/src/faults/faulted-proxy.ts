import { type ProxyProcess, startProxy } from '../proxy-process.ts';
import { type FaultedProxy as Faulted, type FaultedProxyOptions, spawnFaultedProxy } from './spawn-faulted-proxy.ts';

export type { Outcome } from './ask-timed.ts';
export { emailOf } from './spawn-faulted-proxy.ts';
export type FaultedProxy = Faulted<ProxyProcess>;

/** Starts a proxy in front of an upstream with configurable faults, for tests. The caller stops it. */
export const startFaultedProxy = (
  accounts: FaultedProxyOptions['accounts'],
  settings: FaultedProxyOptions['settings'] = {},
  env: FaultedProxyOptions['env'] = {},
): Promise<FaultedProxy> => spawnFaultedProxy({ accounts, settings, env }, startProxy);
