import { expect, it } from 'vitest';
import { leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import { createAddressRewriter, type ForwardedAddresses } from './public-address.ts';

const rewrite = (name: string, value: string, addresses: Partial<ForwardedAddresses> = {}) =>
  createAddressRewriter({
    targets: ['http://orders:8080/base/', 'https://second.internal/base'],
    upstreamPath: '/up/{id}',
    publicPath: '/up/{id}',
    ...addresses,
  }).get(name)?.(value);

it.each([
  ['http://orders:8080/base/up/5?a=1#b', '/up/5?a=1#b'],
  ['https://orders:8080/base/up/5', '/up/5'],
  ['HTTP://ORDERS:8080/base/up/5', '/up/5'],
  ['//orders:8080/base/up/5', '/up/5'],
  ['https://second.internal:443/base/other/', '/other/'],
  ['http://orders:8080/base', '/'],
  ['http://orders:8080', '/'],
  ['http://orders:8080?a', '/?a'],
  ['http://user:secret@orders:8080/base/up', '/up'],
  ['http://orders:8080/elsewhere', '/elsewhere'],
  ['http://orders:8080//evil.example/', '/.//evil.example/'],
  ['http://orders:8080/base//evil.example/', '/.//evil.example/'],
  ['http://orders:8080\\\\evil.example/', '/.\\\\evil.example/'],
  ['/base/up/5', '/up/5'],
  ['/based/up/5', '/based/up/5'],
  ['up/5', 'up/5'],
  ['', ''],
  ['https://login.example/?to=http://orders:8080/', 'https://login.example/?to=http://orders:8080/'],
  ['http://orders:8081/base/up', 'http://orders:8081/base/up'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
])('rewrites %s to %s', (given, wanted) => {
  expect(rewrite('location', given)).toBe(wanted);
  expect(rewrite('content-location', given)).toBe(wanted);
});

it.each([
  ['/api/up/{id}', '/up/{id}', 'http://o/up/5', '/api/up/5'],
  ['/api/up/{id}', '/up/{id}', '/up/5', '/api/up/5'],
  ['/api/up/{id}', '/up/{id}', '/api/up/5', '/api/up/5'],
  ['/up', '/v2/staff', '/v2/staff/7', '/up/7'],
  ['/a/{x}/{y}', '/v2/{y}/t/{x}', 'http://o/v2/1/t/2/more', '/a/2/1/more'],
  ['/a/{x}', '/fixed', 'http://o/fixed', '/fixed'],
  ['/a.b', '/c+d', '/c+d/1', '/a.b/1'],
  ['/files/{rest*}', '/v1/{rest*}', 'http://o/v1/a/b?c#d', '/files/a/b?c#d'],
  ['/files/{rest*}', '/v1/{rest*}', '/v1/a%2Fb', '/files/a%2Fb'],
  ['/files/{rest*}', '/v1/{rest*}', 'http://o/v1', '/files'],
  ['/files/{rest*}', '/v1/{rest*}', 'http://o/v2/a', '/v2/a'],
  ['/files/{rest*}', '/{rest*}', '/a/b', '/files/a/b'],
  ['/files/{rest*}', '/{rest*}', '/files/a/b', '/files/a/b'],
  ['/files/{rest*}', '/v1/{rest*}/', '/v1/a/b/?c', '/files/a/b?c'],
  ['/files/{rest*}', '/v1/{rest*}', '/v1//evil.example', '/files//evil.example'],
  ['/items/{id}', '/v1/items/{id}', '/v1//evil.example', '/.//evil.example'],
  ['/items/{id}', '/v1/items/{id}', '/v1/\\evil.example', '/./\\evil.example'],
  ['/items/{id}', '/v1/items/{id}', '/v1/\t/evil.example', '/./\t/evil.example'],
])('maps the paths of an endpoint %s with the upstream path %s', (publicPath, upstreamPath, given, wanted) => {
  expect(rewrite('location', given, { targets: ['http://o'], publicPath, upstreamPath })).toBe(wanted);
});

it('never rewrites a relative path in Link and Refresh to a reference to another server', () => {
  const addresses = { targets: ['http://o'], publicPath: '/items/{id}', upstreamPath: '/v1/items/{id}' };
  expect(rewrite('link', '</v1//evil.example>; rel="next"', addresses)).toBe('</.//evil.example>; rel="next"');
  expect(rewrite('refresh', '5; url=/v1//evil.example', addresses)).toBe('5; url=/.//evil.example');
});

it('rewrites the references of Link and Refresh, and the scope of cookies', () => {
  expect(rewrite('link', '<http://orders:8080/base/up?p=2>; rel="next", <https://a.example/>; rel=license')).toBe(
    '</up?p=2>; rel="next", <https://a.example/>; rel=license',
  );
  expect(rewrite('refresh', '5; url=http://orders:8080/base/up')).toBe('5; url=/up');
  expect(rewrite('refresh', '5;URL="http://orders:8080/base/up"')).toBe('5;URL="/up"');
  expect(rewrite('refresh', '5')).toBe('5');
  expect(rewrite('set-cookie', 'a=b; Domain=.Orders; Path=/base; Secure')).toBe('a=b; Path=/; Secure');
  expect(rewrite('set-cookie', 'a=path; path=/base/up/; domain=a.example')).toBe('a=path; path=/up/; domain=a.example');
  expect(rewrite('set-cookie', 'a=b; Path=/')).toBe('a=b; Path=/');
});

it('rewrites a cookie in time independent of blanks', () => {
  expect(rewrite('set-cookie', 'a=b; Path = /base/up ; Domain = orders ;Secure')).toBe('a=b; Path=/up;Secure');
  const blanks = ' '.repeat(64_000);
  const run = () => expect(rewrite('set-cookie', `a=b; path=/base/a${blanks}b`)).toBe(`a=b; path=/a${blanks}b`);
  // Quadratic time would be seconds.
  expect(leastCpuMs(run, { msMax: 200 })).toBeLessThan(200);
});
