import { describe, expect, it } from 'vitest';
import { createSummary } from './summary.mjs';

const ports = { gateway: 1001, 'staff-proxy': 1002, scheduling: 1003 };

describe('createSummary', () => {
  it('has the address and the documentation of each server', () => {
    const summary = createSummary({ ports, demoFile: '.local/demo.env', isColoured: false });
    for (const port of Object.values(ports)) expect(summary).toContain(`http://127.0.0.1:${port}/docs`);
  });

  it('has commands without indentation, so that they can be pasted as they are', () => {
    const lines = createSummary({ ports, demoFile: ".local/a b's.env", isColoured: true }).split('\n');
    expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(3);
    expect(lines).toContain(". '.local/a b'\\''s.env'");
  });

  it('is coloured on request alone', () => {
    expect(createSummary({ ports, demoFile: '.local/demo.env', isColoured: false })).not.toContain('\x1b');
    expect(createSummary({ ports, demoFile: '.local/demo.env', isColoured: true })).toContain('\x1b[1m');
  });
});
