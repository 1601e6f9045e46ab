import { describe, expect, it } from 'vitest';
import { findGaps } from '../guarantees/find-gaps.ts';
import { emitGatewayDoc } from './emit-gateway-doc.ts';

const nothing = { setting: [], field: [], route: [], command: [] };
const port = { name: 'port', description: 'Port to listen on.' };
const guarantee = { subject: 'setting', name: 'port', text: '0 takes a | free one', file: 'tools/x.test.ts' } as const;

describe('the page of the gateway', () => {
  it('lists each thing with its tests', () => {
    const page = emitGatewayDoc({ listed: { ...nothing, setting: [port] }, guarantees: [guarantee] });
    expect(page).toContain('| `port` | Port to listen on. | [0 takes a \\| free one](../tools/x.test.ts) |');
  });

  it('is not written while something has no test, or a test speaks of nothing', () => {
    expect(findGaps({ listed: { ...nothing, setting: [port] }, guarantees: [guarantee] })).toEqual([]);
    expect(findGaps({ listed: { ...nothing, setting: [port] }, guarantees: [] })).toEqual([
      'No acceptance test is called "setting port: …".',
    ]);
    expect(findGaps({ listed: nothing, guarantees: [guarantee] })).toEqual([
      'A test is called "setting port", which does not exist.',
    ]);
  });
});
