import { describe, expect, it } from 'vitest';
import { createReceiverRules, ReceiverError } from './receiver-rules.ts';

const rules = createReceiverRules([]);
const url = new URL('https://hooks.example/staff');

describe('receivers of webhooks', () => {
  it.each(['https://hooks.example/staff?token=1', 'https://93.184.215.14:8443/', 'https://[2606:2800:21f::1]/'])(
    'may be %s',
    (text) => {
      expect(rules.parse(text).href).toBe(text);
    },
  );

  it.each([
    ['hooks.example', 'URL'],
    ['ftp://hooks.example/', 'https://'],
    ['http://hooks.example/', 'https://'],
    ['http://93.184.215.14/', 'https://'],
    ['https://user@hooks.example/', 'credentials'],
    ['https://hooks.example/#a', 'fragment'],
    ['http://127.0.0.1:9/', '127.0.0.1'],
    ['https://127.1/', '127.0.0.1'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://0x7f.0.0.1/', '127.0.0.1'],
    ['https://017700000001/', '127.0.0.1'],
    ['https://127.0.0.1./', '127.0.0.1'],
    ['https://[::1]/', '::1'],
    ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['https://[::ffff:93.184.215.14]/', '::ffff'],
    ['https://[64:ff9b::7f00:1]/', '64:ff9b'],
    ['https://169.254.169.254/latest/meta-data/', '169.254.169.254'],
  ])('may not be %s', (text, named) => {
    expect(() => rules.parse(text)).toThrow(ReceiverError);
    expect(() => rules.parse(text)).toThrow(named);
  });

  it('have an address of at most 2000 characters', () => {
    expect(() => rules.parse(`https://hooks.example/${'a'.repeat(2_000)}`)).toThrow('2000 characters');
  });

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.1.1', '172.31.255.255', '192.0.0.8', '192.168.0.1'],
    ...['198.19.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:10.0.0.1'],
    ...['fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1'],
    ...['2002:7f00:1::', '64:ff9b::a00:1', '::127.0.0.1', '5f00::1'],
  ])('may not resolve to %s', (address) => {
    expect(rules.isPermitted(url, address)).toBe(false);
  });

  it.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '223.255.255.255', '2606:4700::1111', '2a00::1'])(
    'may resolve to %s',
    (address) => {
      expect(rules.isPermitted(url, address)).toBe(true);
    },
  );

  it('may be private when their name, address or network is listed', () => {
    const { isPermitted } = createReceiverRules(['Hooks.internal', '10.1.0.0/16', 'fd12::1']);
    const internal = new URL('https://hooks.internal./');
    expect([isPermitted(internal, '192.168.0.1'), isPermitted(url, '192.168.0.1')]).toEqual([true, false]);
    expect([isPermitted(url, '10.1.2.3'), isPermitted(url, '10.2.2.3')]).toEqual([true, false]);
    expect([isPermitted(url, '::ffff:10.1.2.3'), isPermitted(url, 'fd12::1')]).toEqual([true, true]);
  });

  it('may use http only on listed loopback addresses', () => {
    const { isPermitted, parse } = createReceiverRules(['localhost', '127.0.0.1', '10.0.0.0/8']);
    expect(() => parse('http://10.0.0.1/')).toThrow('https://');
    const local = parse('http://localhost:8080/');
    expect([isPermitted(local, '127.0.0.1'), isPermitted(local, '::1')]).toEqual([true, true]);
    expect([isPermitted(local, '10.0.0.1'), isPermitted(local, '1.1.1.1')]).toEqual([false, false]);
    expect(parse('http://127.0.0.1:8080/').port).toBe('8080');
    expect(() => parse('http://127.0.0.2/')).toThrow('127.0.0.2');
  });

  it('are listed as names, addresses and networks', () => {
    for (const entry of ['https://hooks.internal', '10.0.0', '10.0.0.0/33', '1.2.3.4.5', 'a b', '-a', 'fe80::1%eth0'])
      expect(() => createReceiverRules([entry])).toThrow(RangeError);
  });
});
