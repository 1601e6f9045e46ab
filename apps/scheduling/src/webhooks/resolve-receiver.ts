import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostOf, notPermitted, ReceiverError, type ReceiverRules } from './receiver-rules.ts';

/** A receiver, and the addresses to which a connection may be opened. */
export interface ResolvedReceiver {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

export interface ResolveOptions {
  readonly rules: ReceiverRules;
  readonly signal: AbortSignal;
  /** Returns all addresses of a name; by default as the operating system resolves it. */
  readonly resolve?: ((host: string) => Promise<readonly LookupAddress[]>) | undefined;
}

/**
 * Resolves the host of a receiver once. One address that is not permitted rejects the name: names with public and private
 * addresses are used to reach the private ones.
 * @throws ReceiverError, and the reason of the signal
 */
export async function resolveReceiver(text: string, options: ResolveOptions): Promise<ResolvedReceiver> {
  const { rules, signal, resolve = (host) => lookup(host, { all: true }) } = options;
  const url = rules.parse(text);
  const host = hostOf(url);
  if (isIP(host) !== 0) return { url, addresses: [{ address: host, family: isIP(host) }] };
  const addresses = await orAbort(
    resolve(host).catch(() => []),
    signal,
  );
  if (addresses.length === 0) throw new ReceiverError(`The name ${host} cannot be resolved.`, 'name not found');
  const denied = addresses.find(({ address }) => !rules.isPermitted(url, address));
  if (denied !== undefined) throw notPermitted(`${denied.address} of ${host}`);
  return { url, addresses };
}

/** A lookup cannot be cancelled, so the caller stops waiting for it. */
function orAbort<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
