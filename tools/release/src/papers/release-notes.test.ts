import { describe, expect, it } from 'vitest';
import { releaseNotes } from './release-notes.ts';

const changelog = '# a\n\n## 0.3.0\n\n### Minor Changes\n\n- New.\n\n## 0.2.0\n\n- Old.\n';

describe('releaseNotes', () => {
  it.each([
    ['0.3.0', '### Minor Changes\n\n- New.'],
    ['0.2.0', '- Old.'],
    ['0.2', ''],
  ])('gives what stands under %s alone', (version, notes) => {
    expect(releaseNotes(changelog, version)).toBe(notes);
  });
});
