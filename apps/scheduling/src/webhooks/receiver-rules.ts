import { isIP } from 'node:net';
import { createAddressList } from '@rostergate/server/edge';

/** A receiver that webhooks may not be sent to, or that has no address. The message says why. */
export class ReceiverError extends Error {
  /** The same in a few words, without the address. */
  readonly reason: string;

  constructor(message: string, reason = 'address not permitted') {
    super(message);
    this.name = 'ReceiverError';
    this.reason = reason;
  }
}

/** Which addresses webhooks may be sent to. */
export interface ReceiverRules {
  /**
   * Returns the address of a receiver. A name is not resolved here, because it may have another address later.
   * @throws ReceiverError
   */
  parse(text: string): URL;
  /** Returns whether a connection for the URL may be opened to an IP address. */
  isPermitted(url: URL, address: string): boolean;
}

/**
 * Returns the rules: https to public addresses only, unless `privateReceivers` lists the host, the address or its network.
 * @throws RangeError for an entry that is none of these
 */
export function createReceiverRules(privateReceivers: readonly string[]): ReceiverRules {
  const names = new Set<string>();
  const networks: string[] = [];
  for (const entry of privateReceivers) {
    if (hostName.test(entry) && isIP(entry) === 0 && !lastNumber.test(entry)) names.add(entry.toLowerCase());
    else networks.push(entry);
  }
  const isListed = createAddressList(networks);
  const rules: ReceiverRules = {
    parse(text) {
      const url = URL.parse(text);
      if (url === null || text.length > urlLengthMax) {
        throw new ReceiverError(
          `The address must be a URL such as https://hooks.example/staff, of at most ${urlLengthMax} characters.`,
        );
      }
      if (url.username !== '' || url.password !== '' || url.hash !== '') {
        throw new ReceiverError('The address must not contain credentials or a fragment.');
      }
      const host = hostOf(url);
      if (url.protocol !== 'https:') {
        const isLocal = host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
        if (url.protocol !== 'http:' || !isLocal) throw new ReceiverError('The address must begin with https://.');
      }
      if (isIP(host) !== 0 && !rules.isPermitted(url, host)) throw notPermitted(host);
      return url;
    },
    isPermitted(url, address) {
      if (address.includes('%')) return false;
      const isException = names.has(hostOf(url)) || isListed(address);
      return url.protocol === 'https:' ? isException || isPublic(address) : isException && isLoopback(address);
    },
  };
  return rules;
}

/** Returns the host without brackets and without the dot at the end of a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

export const notPermitted = (address: string) =>
  new ReceiverError(
    `The address ${address} is not permitted: it is not public. List it in webhook_private_receivers to permit it; http is for loopback addresses only.`,
  );

const urlLengthMax = 2_000;
const hostName = /^[a-z\d_]([a-z\d_-]*[a-z\d_])?(\.[a-z\d_]([a-z\d_-]*[a-z\d_])?)*$/i;
/** A name cannot end with a number: URLs read it as an IPv4 address. */
const lastNumber = /(^|\.)\d+$/;

const isLoopback = createAddressList(['127.0.0.0/8', '::1']);

// The networks that the IANA registries of special-purpose addresses do not call globally reachable, and multicast.
const isSpecialV4 = createAddressList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]);
/** Global unicast. IPv4 addresses mapped or translated into IPv6 are outside. */
const isGlobalV6 = createAddressList(['2000::/3']);
const isSpecialV6 = createAddressList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

function isPublic(address: string): boolean {
  return isIP(address) === 4 ? !isSpecialV4(address) : isGlobalV6(address) && !isSpecialV6(address);
}
