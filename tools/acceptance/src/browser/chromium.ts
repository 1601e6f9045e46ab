import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Starts the Chromium of this machine in headless mode. */
export function launchChromium(): Promise<Browser> {
  // The sandbox does not start for root, the usual user of containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findChromium(), args });
}

/** @throws with installation instructions when there is none; a browser test is never skipped. */
export function findChromium(
  { CHROMIUM }: Readonly<Record<string, string | undefined>> = process.env,
  exists: (path: string) => boolean = existsSync,
): string {
  if (CHROMIUM) {
    if (exists(CHROMIUM)) return CHROMIUM;
    throw new Error(`CHROMIUM names ${CHROMIUM}, which is not there.`);
  }
  const found = usualPlaces.find(exists);
  if (found !== undefined) return found;
  throw new Error(
    `These tests need Chromium: install it (apt-get install chromium-headless-shell), or name its program in CHROMIUM. It is at none of ${usualPlaces.join(', ')}.`,
  );
}

const usualPlaces = [
  // The same engine without windows, which need much CPU time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
