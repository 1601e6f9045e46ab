import { describe, expect, it } from 'vitest';
import { findUnannouncedSpecs } from './spec-changesets.mjs';

const spec = { name: '@rostergate/staff-spec', changedFiles: ['specs/staff/openapi.yaml'], isVersioned: false };
const changeset = '---\n"@rostergate/staff-spec": minor\n---\n\n`GET /staffmember` now accepts more.\n';

describe('findUnannouncedSpecs', () => {
  it('finds a changed spec that no changeset names', () => {
    expect(findUnannouncedSpecs([spec], [changeset.replace('staff-spec', 'odata')])).toEqual([spec]);
    expect(findUnannouncedSpecs([spec], ['@rostergate/staff-spec: minor'])).toEqual([spec]);
  });

  it.each([
    ['announced', spec, [changeset]],
    ['announced without quotes', spec, [changeset.replaceAll('"', '')]],
    ['unchanged', { ...spec, changedFiles: [] }, []],
    ['about to be released', { ...spec, isVersioned: true }, []],
  ])('passes one that is %s', (_case, change, changesets) => {
    expect(findUnannouncedSpecs([change], changesets)).toEqual([]);
  });
});
