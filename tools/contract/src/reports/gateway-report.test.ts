import { expect, it } from 'vitest';
import { emitGatewayDoc } from './gateway-report.ts';

it('lists each thing with its tests', () => {
  const port = { name: 'port', description: 'Port to listen on.' };
  const guarantee = { subject: 'setting', name: 'port', text: '0 takes a | free one', file: 'tools/x.test.ts' };
  const listed = { setting: [port], field: [], route: [], operation: [], command: [] };
  const page = emitGatewayDoc({ listed, guarantees: [guarantee] });
  expect(page).toContain('| `port` | Port to listen on. | [0 takes a \\| free one](../../tools/x.test.ts) |');
});
