import { describe, expect, it } from 'vitest';
import { insertSection, releaseNotes } from './changelog-file.ts';

const changelog = '# a\n\n## 0.3.0\n\n### Minor Changes\n\n- New.\n\n## 0.2.0\n\n### The contract\n\nOld.\n';
const section = '### The contract\n\n- `GET /a` is new.';

describe('insertSection', () => {
  it('inserts a section once, first under its release, and leaves earlier releases unchanged', () => {
    const once =
      '# a\n\n## 0.3.0\n\n### The contract\n\n- `GET /a` is new.\n\n### Minor Changes\n\n- New.\n\n## 0.2.0\n\n### The contract\n\nOld.\n';
    expect(insertSection(changelog, '0.3.0', section)).toBe(once);
    expect(insertSection(once, '0.3.0', section)).toBe(once);
  });

  it.each([
    ['no section', '0.3.0', ''],
    ['no such release', '0.4.0', section],
    ['a release that has the section', '0.2.0', section],
  ])('changes nothing for %s', (_, version, given) => {
    expect(insertSection(changelog, version, given)).toBe(changelog);
  });
});

const releases = '# a\n\n## 0.3.0\n\n### Minor Changes\n\n- New.\n\n## 0.2.0\n\n- Old.\n';

describe('releaseNotes', () => {
  it.each([
    ['0.3.0', '### Minor Changes\n\n- New.'],
    ['0.2.0', '- Old.'],
    ['0.2', ''],
  ])('returns only the text under %s', (version, notes) => {
    expect(releaseNotes(releases, version)).toBe(notes);
  });
});
