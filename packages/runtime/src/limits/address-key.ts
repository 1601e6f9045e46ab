import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { addressPrefix } from './address-prefix.ts';
import { parseForwardedHeader } from './forwarded-header.ts';
import { createProxyTrust, type IsTrustedProxy } from './proxy-trust.ts';

export interface AddressKeyOptions {
  /** Addresses and CIDR blocks of the proxies whose forwarded headers are believed; none by default. */
  readonly trustedProxies?: readonly string[];
}

type Addressed = Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<Socket, 'remoteAddress'> };

/** What a connection alone tells, worked out once for all of its requests. */
interface Peer {
  readonly key: string;
  readonly isTrusted: boolean;
}

/**
 * Makes the function that names the address a request is charged to: IPv6 by its /56, which is what one subscriber
 * has, and an IPv4 address mapped into IPv6 as the IPv4 address, however it is spelled.
 *
 * What trusted proxies write into `X-Forwarded-For` or `Forwarded` (RFC 7239) is believed from the nearest outwards, up
 * to the first address that none of them has. Proxies write one of the two headers and let the other pass: when both
 * are there and disagree, one was written by the caller, and the request is charged to the proxy.
 * @throws RangeError for a trusted proxy that is neither an address nor a CIDR block.
 */
export function createAddressKey({ trustedProxies = [] }: AddressKeyOptions = {}): (req: Addressed) => string {
  const isTrusted = createProxyTrust(trustedProxies);
  const peers = new WeakMap<object, Peer>();
  const peerOf = (socket: Addressed['socket']): Peer | undefined => {
    let peer = peers.get(socket);
    const address = socket.remoteAddress;
    if (peer === undefined && address !== undefined) {
      peer = { key: addressPrefix(address), isTrusted: isTrusted(address) };
      peers.set(socket, peer);
    }
    return peer;
  };
  if (trustedProxies.length === 0) {
    return ({ socket }) => {
      const address = socket.remoteAddress;
      return address === undefined || address.includes(':') ? (peerOf(socket)?.key ?? 'unknown') : address;
    };
  }
  return ({ headers, socket }) => {
    const peer = peerOf(socket);
    if (peer === undefined) return 'unknown';
    const list = headers['x-forwarded-for'];
    const { forwarded } = headers;
    if (!peer.isTrusted || (list === undefined && forwarded === undefined)) return peer.key;
    const byList = list === undefined ? undefined : callerOf(readList(String(list)), peer, isTrusted);
    if (forwarded === undefined) return byList as string;
    const byForwarded = callerOf(parseForwardedHeader(forwarded) ?? [], peer, isTrusted);
    return byList === undefined || byList === byForwarded ? byForwarded : peer.key;
  };
}

/** The address key where no proxy is trusted: forwarded headers count for nothing. */
export const addressKey = createAddressKey();

/** Only the nearest entries can have been written by trusted proxies; a long list is the work of the caller. */
const listCharactersMax = 1024;

function readList(text: string): readonly string[] {
  if (text.length <= listCharactersMax) return text.split(',');
  return text.slice(-listCharactersMax).split(',').slice(1);
}

/** Walks the chain from the nearest proxy outwards: the first address that no trusted proxy has is the caller's. */
function callerOf(chain: readonly string[], peer: Peer, isTrusted: IsTrustedProxy): string {
  let caller: string | undefined;
  for (let i = chain.length - 1; i >= 0; i--) {
    const address = addressOf((chain[i] as string).trim());
    if (address === undefined) break;
    caller = address;
    if (!isTrusted(address)) break;
  }
  return caller === undefined ? peer.key : addressPrefix(caller);
}

/** An entry's address without brackets and port (`203.0.113.7:443`, `[2001:db8::1]:443`). */
function addressOf(entry: string): string | undefined {
  if (isIP(entry) !== 0) return entry;
  const bare = /^"?\[([^\]]+)\](?::[\w.-]+)?"?$/.exec(entry)?.[1] ?? /^"?([^:"]+)(?::[\w.-]+)?"?$/.exec(entry)?.[1];
  return bare !== undefined && isIP(bare) !== 0 ? bare : undefined;
}
