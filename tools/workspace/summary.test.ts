import { describe, expect, it } from 'vitest';
import { createSummary } from './summary.mjs';

const credentials = { SCHEDULING_ADMIN_EMAIL: 'admin@demo.example', COMPANY_KEY: 'c0ffee' };
const ports = { gateway: 1001, 'staff-proxy': 1002, scheduling: 1003 };

describe('createSummary', () => {
  it('contains the address and the documentation of each server', () => {
    const summary = createSummary({ ports, credentials, demoFile: '.local/demo.env', isColoured: false });
    for (const port of Object.values(ports)) expect(summary).toContain(`http://127.0.0.1:${port}/docs`);
  });

  it('links to the roster of the demo company, and names its account but no password', () => {
    const summary = createSummary({ ports, credentials, demoFile: '.local/demo.env', isColoured: false });
    expect(summary).toContain('http://127.0.0.1:1003/#companyKey=c0ffee\n');
    expect(summary).toContain('admin@demo.example with SCHEDULING_ADMIN_PASSWORD from .local/demo.env');
  });

  it('contains one command, without indentation or colour, with a quoted path', () => {
    const lines = createSummary({ ports, credentials, demoFile: ".local/a b's.env", isColoured: true }).split('\n');
    const [command, ...others] = lines.filter((line) => line.includes('curl '));
    expect(others).toEqual([]);
    expect(command).toMatch(/^\. '\.local\/a b'\\''s\.env' && curl .*http:\/\/127\.0\.0\.1:1001\/api\/staff/);
    expect(command).not.toContain('\x1b');
  });

  it('is coloured only on request', () => {
    expect(createSummary({ ports, credentials, demoFile: '.local/demo.env', isColoured: false })).not.toContain('\x1b');
    expect(createSummary({ ports, credentials, demoFile: '.local/demo.env', isColoured: true })).toContain('\x1b[1m');
  });
});
