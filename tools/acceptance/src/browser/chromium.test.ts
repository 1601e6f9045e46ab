import { expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

test('uses the Chromium named in CHROMIUM, otherwise the first in a usual place', () => {
  expect(findChromium({ CHROMIUM: '/opt/it' }, () => true)).toBe('/opt/it');
  expect(findChromium({}, (path) => path === '/usr/bin/google-chrome')).toBe('/usr/bin/google-chrome');
});

test('fails with installation instructions without Chromium', () => {
  expect(() => findChromium({}, () => false)).toThrow('apt-get install chromium');
  expect(() => findChromium({ CHROMIUM: '/opt/it' }, () => false)).toThrow('/opt/it, which is not there');
});
