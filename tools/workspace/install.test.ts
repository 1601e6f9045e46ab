import { describe, expect, it } from 'vitest';
import { describeFailure } from './install.mjs';

describe('describeFailure', () => {
  it.each([
    ['npm', 'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo'],
    ['npm', 'npm error network request to https://registry.npmjs.org/pnpm failed, reason: connect ECONNREFUSED'],
    [
      'pnpm, over two lines',
      '  ╰─▶ from https://registry.npmjs.org/x: error sending\n      request: client error (Connect)',
    ],
  ])('reports a missing network in one line for the log of %s', (_, log) => {
    expect(describeFailure(log)).toMatch(/^The npm registry is unreachable.*$/);
  });

  it('returns the end of the log for any other reason', () => {
    const log = ['npm warn config', ...Array.from({ length: 40 }, (_, i) => `line ${i + 1}`)].join('\n');
    expect(describeFailure(log)).toMatch(/^line 21\n[\s\S]*line 40\nInstalling the packages failed/);
  });
});
