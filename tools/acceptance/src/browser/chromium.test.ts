import { expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

test('takes the Chromium that is named, else one of the usual places', () => {
  expect(findChromium({ CHROMIUM: '/opt/it' }, () => true)).toBe('/opt/it');
  expect(findChromium({}, (path) => path === '/usr/bin/google-chrome')).toBe('/usr/bin/google-chrome');
});

test('says how to install one when there is none, and never passes tests over', () => {
  expect(() => findChromium({}, () => false)).toThrow('apt-get install chromium');
  expect(() => findChromium({ CHROMIUM: '/opt/it' }, () => false)).toThrow('/opt/it, which is not there');
});
