/** Where a Redis is: one server, the nodes of a cluster, or the sentinels that know the master. */
export interface RedisAddress {
  readonly kind: 'server' | 'cluster' | 'sentinel';
  /** Servers or nodes, or the sentinels. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly isSecure: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
  /** The name by which sentinels know the master. */
  readonly master: string;
  /** The password of the sentinels, which is not that of the master. */
  readonly sentinelPassword?: string;
}

const form =
  /^redis(?<secure>s?)(?<kind>-cluster|-sentinel)?:\/\/(?:(?<login>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<database>\d*))?(?:\?(?<query>[^#]*))?$/;

/**
 * Parses `redis://`, `redis-cluster://` with several hosts, or `redis-sentinel://` with several hosts and `?master=`;
 * with `rediss` for TLS.
 * @throws RangeError with a message that does not repeat the URL, which may hold a password
 */
export function parseRedisAddress(url: string): RedisAddress {
  try {
    const groups = form.exec(url)?.groups ?? {};
    const { secure = '', login = '', database = '', query = '' } = groups;
    const kind = groups.kind === '-cluster' ? 'cluster' : groups.kind === '-sentinel' ? 'sentinel' : 'server';
    const nodes = (groups.hosts ?? '').split(',').map((host) => toNode(host, kind));
    const [username = '', ...rest] = login.split(':').map(decodeURIComponent);
    const password = rest.join(':');
    const params = new URLSearchParams(query);
    const master = params.get('master') ?? '';
    const sentinelPassword = params.get('sentinel_password') ?? '';
    const known = [...params.keys()].every((name) => kind === 'sentinel' && /^(master|sentinel_password)$/.test(name));
    const isOfKind = kind === 'sentinel' ? master !== '' : kind === 'cluster' ? !Number(database) : nodes.length === 1;
    if (known && isOfKind) {
      return {
        ...{ kind, nodes, isSecure: secure !== '', master },
        ...(username === '' ? {} : { username }),
        ...(password === '' ? {} : { password }),
        ...(sentinelPassword === '' ? {} : { sentinelPassword }),
        ...(database === '' ? {} : { database: Number(database) }),
      };
    }
  } catch {
    // The error of a parser would repeat the URL.
  }
  throw new RangeError(
    'The URL of Redis is invalid. Write redis://user:password@host:port/0, redis-cluster://user:password@host:port,host:port or redis-sentinel://user:password@host:port,host:port/0?master=name, with special characters in the password as %XX.',
  );
}

function toNode(host: string, kind: RedisAddress['kind']): { readonly host: string; readonly port: number } {
  const { hostname, port, pathname, username } = new URL(`redis://${host}`);
  if (hostname === '' || pathname !== '' || username !== '') throw new RangeError();
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (kind === 'sentinel' ? 26_379 : 6_379) };
}
