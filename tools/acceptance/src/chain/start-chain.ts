import type { FaultUpstream } from '../faults/fault-upstream.ts';
import { keyOf, spawnFaultedProxy } from '../faults/spawn-faulted-proxy.ts';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { type ProxyProcess, startProxy } from '../proxy-process.ts';
import { whenTestEnds } from '../when-test-ends.ts';

/** A gateway in front of a staff proxy in front of an upstream with configurable faults. */
export interface Chain {
  readonly gateway: GatewayProcess;
  readonly proxy: ProxyProcess;
  readonly upstream: FaultUpstream;
}

export interface ChainOptions {
  /** Fields of `upstream` of the gateway's endpoints; others have their defaults. */
  readonly endpointUpstream?: Readonly<Record<string, unknown>>;
  readonly gatewaySettings?: Readonly<Record<string, unknown>>;
  readonly proxySettings?: Readonly<Record<string, string | number | boolean>>;
}

const account = 'chain';

/** Starts the three servers with the endpoints `GET /api/staff` and `POST /api/staff`; stopped when the test ends. */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const { endpointUpstream = {}, gatewaySettings = {}, proxySettings = {} } = options;
  const { proxy, upstream, stop } = await spawnFaultedProxy(
    { accounts: [account], settings: proxySettings },
    startProxy,
  );
  whenTestEnds(stop);
  const to = { targets: [proxy.url], path: '/v2/staffmember', headers: { 'X-API-Key': keyOf(account) } };
  const endpoints = ['GET', 'POST'].map((method) => {
    return { path: '/api/staff', method, service: 'http', upstream: { ...to, ...endpointUpstream } };
  });
  const gateway = await startGateway({ settings: gatewaySettings, endpoints });
  return { gateway, proxy, upstream };
}
