import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createStarvationGauge, isStarved } from './starvation.ts';

function start() {
  const use = { atMs: 0, wantedMs: 0, gotMs: 0 };
  const ask = createStarvationGauge(() => ({ ...use }));
  const pass = (ms: number, wantedMs: number, gotMs: number) => {
    use.atMs += ms;
    use.wantedMs += wantedMs;
    use.gotMs += gotMs;
    return ask();
  };
  return pass;
}

it('is not the lot of a process that waits, nor of one that runs whenever it wants', () => {
  const pass = start();
  expect(pass(500, 5, 4)).toBe(false);
  expect(pass(500, 500, 490)).toBe(false);
});

it('is the lot of a process that runs less than it wants', () => {
  expect(start()(100, 80, 40)).toBe(true);
});

it('is of late: what was long ago is forgotten', () => {
  const pass = start();
  pass(500, 500, 500);
  expect(pass(300, 300, 100)).toBe(true);
  pass(300, 300, 300);
  expect(pass(300, 300, 300)).toBe(false);
  expect(pass(40, 40, 10)).toBe(false);
  expect(pass(260, 260, 60)).toBe(true);
});

it('is seen in this process when it does not run, though it has something to do', () => {
  for (let i = 0; i < 3; i++) {
    execFileSync(process.execPath, ['-e', 'setTimeout(() => {}, 300)']);
    isStarved();
  }
  expect(isStarved()).toBe(true);
});
