import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { createProcessTerminal, createTerminal, writeAddress } from './terminal.ts';

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
])('on %j with %j, colours are on: %j', (stream, env, isColoured) => {
  const stdout = { write: () => true, ...stream };
  const { out } = createTerminal({ stdout, stderr: stdout, env: env as Record<string, string> });
  expect(out.style('red', 'x')).toBe(isColoured ? '\x1b[31mx\x1b[39m' : 'x');
});

it('exits when the reader closes the pipe, and only then', () => {
  const stdout = Object.assign(new EventEmitter(), { write: () => true });
  const exit = vi.fn();
  createProcessTerminal({ stdout, stderr: stdout, env: {}, exit } as never);
  expect(() => stdout.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full');
  expect(exit).not.toHaveBeenCalled();
  stdout.emit('error', Object.assign(new Error('pipe'), { code: 'EPIPE' }));
  expect(exit).toHaveBeenCalledOnce();
});

it.each([
  ['127.0.0.1', false, 'http://127.0.0.1:8000/'],
  ['0.0.0.0', false, 'http://127.0.0.1:8000/'],
  ['::', true, 'https://[::1]:8000/'],
  ['fe80::1', false, 'http://[fe80::1]:8000/'],
])('a server on %s, secure: %j, is shown as %s on a terminal only', (address, isSecure, url) => {
  const written: string[] = [];
  for (const isTTY of [true, false]) {
    const stream = { write: (text: string) => written.push(text), isTTY };
    const { err } = createTerminal({ stdout: stream, stderr: stream, env: { NO_COLOR: '1' } });
    writeAddress(err, { address, port: 8000, isSecure });
  }
  expect(written).toEqual([`Listening on ${url}. Ctrl-C stops the server.\n`]);
});
