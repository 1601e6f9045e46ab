import { describe, expect, it } from 'vitest';
import { readSettings } from '../configuration/read-settings.ts';
import { readOperationIds, toolsOf } from './staff-tools.ts';

const readMcp = (mcp: object, more: object = {}) =>
  readSettings({ env: {}, file: { path: 'staff-proxy.json', text: JSON.stringify({ mcp, ...more }) } }).mcp;

describe('the setting mcp', () => {
  it('offers all read operations to keys by default, and nothing without the setting', () => {
    expect(readMcp({})).toMatchObject({ auth: ['key'], resource: '' });
    expect(toolsOf({}).map((tool) => tool.operation_id)).toEqual(readOperationIds);
    expect(readOperationIds).toEqual(expect.arrayContaining(['listStaffMembers', 'getStaffMember']));
    expect(readOperationIds).not.toContain('getHealth');
    expect(readSettings({ env: {} }).mcp).toBeUndefined();
  });

  it('keeps results compact unless the settings say otherwise', () => {
    const [usual, own] = toolsOf({
      tools: [
        { operation_id: 'listStaffMembers' },
        { operation_id: 'listStaffMembers', name: 'everything', defaults: {} },
      ],
    });
    expect(usual?.defaults).toMatchObject({ select: expect.stringContaining('StaffKey'), top: 50, count: true });
    expect(own).toMatchObject({ name: 'everything', defaults: {} });
  });

  it.each([
    [{ tools: [{ operation_id: 'createStaffMember' }] }, 'mcp.tools[0].operation_id'],
    [{ tools: [{ operation_id: 'listStaffMembers', defaults: { slect: 'x' } }] }, 'mcp.tools[0].defaults.slect'],
    [{ tools: [{ operation_id: 'getStaffMember', name: 'a b' }] }, 'mcp.tools[0].name'],
    [
      { tools: ['listStaffMembers', 'getStaffMember'].map((operation_id) => ({ operation_id, name: 'a' })) },
      'mcp.tools[1].name',
    ],
    [{ auth: ['jwt:corp'] }, 'names the issuer "corp"'],
    [{ auth: [] }, 'mcp.auth'],
    [{ origins: ['https://App.example'] }, 'mcp.origins[0]'],
    [{ more: 1 }, 'mcp.more'],
  ])('rejects %j', (mcp, message) => {
    expect(() => readMcp(mcp)).toThrow(message);
  });
});
