import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

it.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: false }, {}, false],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: true }, { NODE_DISABLE_COLORS: '1' }, false],
  [{ isTTY: false }, { FORCE_COLOR: '1' }, true],
  [{ isTTY: false }, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
])('on %j with %j has colours: %j', (stream, env, isColoured) => {
  const stdout = { write: () => true, ...stream };
  const { out } = createTerminal({ stdout, stderr: stdout, env: env as Record<string, string> });
  expect(out.style('red', 'x')).toBe(isColoured ? '\x1b[31mx\x1b[39m' : 'x');
});
