import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { createProcessTerminal } from './process-terminal.ts';

it('ends when nobody reads any more, and only then', () => {
  const stdout = Object.assign(new EventEmitter(), { write: () => true });
  const exit = vi.fn();
  createProcessTerminal({ stdout, stderr: stdout, env: {}, exit } as never);
  expect(() => stdout.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full');
  expect(exit).not.toHaveBeenCalled();
  stdout.emit('error', Object.assign(new Error('pipe'), { code: 'EPIPE' }));
  expect(exit).toHaveBeenCalledOnce();
});
