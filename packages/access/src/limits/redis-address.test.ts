import { expect, it } from 'vitest';
import { parseRedisAddress } from './redis-address.ts';

const node = (host: string, port: number) => ({ host, port });

it.each([
  ['redis://localhost', { kind: 'server', nodes: [node('localhost', 6379)], isSecure: false, master: '' }],
  [
    'rediss://user:p%40ss%3Aword@[::1]:6380/2',
    {
      ...{ kind: 'server', nodes: [node('::1', 6380)], isSecure: true, master: '' },
      ...{ username: 'user', password: 'p@ss:word', database: 2 },
    },
  ],
  [
    'redis-cluster://:secret@a:7000,b:7001,c',
    {
      ...{ kind: 'cluster', nodes: [node('a', 7000), node('b', 7001), node('c', 6379)], isSecure: false, master: '' },
      password: 'secret',
    },
  ],
  [
    'rediss-sentinel://u:p@s1,s2:26380/1?master=limits&sentinel_password=other',
    {
      ...{ kind: 'sentinel', nodes: [node('s1', 26_379), node('s2', 26_380)], isSecure: true, master: 'limits' },
      ...{ username: 'u', password: 'p', sentinelPassword: 'other', database: 1 },
    },
  ],
] as const)('parses %s', (url, address) => {
  expect(parseRedisAddress(url)).toEqual(address);
});

it.each([
  'redis://canary:canary@a,b',
  'redis://canary@host:port/0',
  'redis://:canary@host/zero',
  'redis://:%canary@host',
  'redis:///0',
  'redis://:canary@a?master=m',
  'redis-cluster://:canary@a,b/3',
  'redis-cluster://:canary@a,,b',
  'redis-sentinel://:canary@a,b/0',
  'redis-sentinel://:canary@a?master=m&other=1',
  'http://canary',
])('rejects %s without repeating it', (url) => {
  expect(() => parseRedisAddress(url)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('canary') }),
  );
  expect(() => parseRedisAddress(url)).toThrow(RangeError);
});
