import { describe, expect, it } from 'vitest';
import { formatLogLine } from './log-lines.mjs';

const time = '2026-01-02T03:04:05.678Z';
const request = { level: 'info', time, service: 'gateway', method: 'GET', route: '/api/x', duration_ms: 1.5 };
const terminal = { isTerminal: true };

describe('formatLogLine', () => {
  it.each([200, 304])('hides a request with status %i', (status) => {
    const line = JSON.stringify({ ...request, status });
    expect(formatLogLine(line, terminal)).toBeUndefined();
    expect(formatLogLine(line, { isTerminal: false })).toBeUndefined();
  });

  it('shows a failed request as text on a terminal, and as JSON elsewhere', () => {
    const line = JSON.stringify({ ...request, status: 401, code: 'key_missing' });
    expect(formatLogLine(line, terminal)).toBe('03:04:05 401 GET /api/x key_missing');
    expect(formatLogLine(line, { isTerminal: false })).toBe(line);
  });

  it('shows the message and details of other entries', () => {
    const line = JSON.stringify({ level: 'warn', time, service: 'gateway', faults: [{ line: 2 }], msg: 'rejected' });
    expect(formatLogLine(line, terminal)).toBe('03:04:05 warn rejected faults=[{"line":2}]');
  });

  it.each(['plain text', '{ not JSON', '{"a":1}'])('returns %s unchanged', (line) => {
    expect(formatLogLine(line, terminal)).toBe(line);
  });
});
