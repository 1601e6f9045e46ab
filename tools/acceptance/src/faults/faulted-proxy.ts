import { type ProxyProcess, startProxy } from '../proxy-process.ts';
import { type FaultedProxy as Faulted, type FaultedProxyOptions, spawnFaultedProxy } from './spawn-faulted-proxy.ts';

export type { Outcome } from './ask-timed.ts';
export { emailOf } from './spawn-faulted-proxy.ts';
export type FaultedProxy = Faulted<ProxyProcess>;

/** A real proxy before an upstream that fails as it is told to, for tests; whoever starts it ends it. */
export const startFaultedProxy = (
  accounts: FaultedProxyOptions['accounts'],
  settings: FaultedProxyOptions['settings'] = {},
  env: FaultedProxyOptions['env'] = {},
): Promise<FaultedProxy> => spawnFaultedProxy({ accounts, settings, env }, startProxy);
