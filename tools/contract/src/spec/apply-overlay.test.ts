import { describe, expect, test } from 'vitest';
import { applyOverlay, type OverlayAction } from './apply-overlay.ts';

const document = {
  info: { title: 'A', description: 'old' },
  paths: {
    '/a': { get: { security: [{ bearer: [] }], tags: ['x'] }, post: { security: [] } },
    "/it's\\\n": { get: { security: [{ bearer: [] }] } },
  },
  list: [1, 2, 3, 4],
  parameters: [
    { name: 'top', required: false },
    { name: 'company', required: true },
  ],
};

const apply = (...actions: OverlayAction[]) =>
  applyOverlay<typeof document>(document, { overlay: '1.0.0', info: { title: 't', version: '1' }, actions });

describe('an overlay', () => {
  test('merges objects, concatenates arrays and replaces other values', () => {
    const result = apply({ target: '$.paths["/a"].get', update: { tags: ['y'], deprecated: true } });
    expect(result.paths['/a'].get).toEqual({ security: [{ bearer: [] }], tags: ['x', 'y'], deprecated: true });
    expect(apply({ target: '$.info', update: { description: { new: 1 } } }).info).toEqual({
      title: 'A',
      description: { new: 1 },
    });
  });

  test('appends to an array that is the target', () => {
    expect(apply({ target: '$.list', update: 5 }).list).toEqual([1, 2, 3, 4, 5]);
  });

  test('updates every selected object', () => {
    const result = apply({ target: "$.parameters[?@.name=='company']", update: { required: false } });
    expect(result.parameters.map((parameter) => parameter.required)).toEqual([false, false]);
  });

  test('removes exactly the selected values, also with special characters in names', () => {
    const { paths } = apply({ target: '$.paths.*[?@.security[0]].security', remove: true });
    expect(paths).toEqual({ '/a': { get: { tags: ['x'] }, post: { security: [] } }, "/it's\\\n": { get: {} } });
    expect(apply({ target: '$.paths["/it\'s\\\\\\n"]', remove: true }).paths).toEqual({ '/a': document.paths['/a'] });
  });

  test('removes several entries of one array', () => {
    expect(apply({ target: '$.list[?@<4]', remove: true }).list).toEqual([4]);
    expect(apply({ target: '$.list[2,0,2]', remove: true }).list).toEqual([2, 4]);
  });

  test('applies its actions in order', () => {
    const { info } = apply(
      { target: '$.info.description', remove: true },
      { target: '$.info', update: { description: 'new' } },
    );
    expect(info).toEqual({ title: 'A', description: 'new' });
  });

  test('does not change the given document or the overlay', () => {
    const before = structuredClone(document);
    const update = { tags: ['y'] };
    apply({ target: '$.paths["/a"].get', update }, { target: '$.paths["/a"].get.tags', update: 'z' });
    expect(document).toEqual(before);
    expect(update).toEqual({ tags: ['y'] });
  });

  test.each([
    ['a target that selects nothing', { target: '$.gone', remove: true }, '$.gone selects nothing'],
    ['the removal of the whole document', { target: '$', remove: true }, 'the whole document'],
    ['an update of a single value', { target: '$.info.title', update: 'B' }, 'must be an array'],
    ['an action without update or remove', { target: '$.info' }, 'neither update nor remove'],
  ] as [string, OverlayAction, string][])('rejects %s', (_case, action, message) => {
    expect(() => apply(action)).toThrow(message);
  });

  test('rejects an unsupported version', () => {
    const overlay = { overlay: '2.0.0', info: { title: 't', version: '1' }, actions: [] };
    expect(() => applyOverlay(document, overlay)).toThrow('2.0.0');
  });
});
