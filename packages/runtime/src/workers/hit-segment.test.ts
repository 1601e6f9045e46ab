import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { HitSegment, segmentFiles } from './hit-segment.ts';

it('leaves no file open when its second file cannot be opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-hits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [, definitions] = segmentFiles(folder, 0);
  mkdirSync(definitions);
  const countOpen = () => readdirSync('/proc/self/fd').length;
  const before = countOpen();
  for (let i = 0; i < 50; i++) expect(() => new HitSegment(folder, 0, 1)).toThrow('EISDIR');
  // Other work of the process may open a few files meanwhile.
  expect(countOpen()).toBeLessThan(before + 25);
});
