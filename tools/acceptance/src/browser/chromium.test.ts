import { expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

test('uses the Chromium named in CHROMIUM, otherwise the first in a usual place', () => {
  expect(findChromium({ CHROMIUM: '/opt/it' }, () => true)).toBe('/opt/it');
  expect(findChromium({}, (path) => path === '/usr/bin/google-chrome')).toBe('/usr/bin/google-chrome');
});

test('prefers the headless shell to the full browser', () => {
  expect(findChromium({}, () => true)).toBe('/usr/bin/chromium-headless-shell');
  expect(findChromium({}, (path) => !path.endsWith('headless-shell'))).toBe('/usr/bin/chromium');
});

test('fails with installation instructions without Chromium', () => {
  expect(() => findChromium({}, () => false)).toThrow('apt-get install chromium-headless-shell');
  expect(() => findChromium({ CHROMIUM: '/opt/it' }, () => false)).toThrow('/opt/it, which is not there');
});
