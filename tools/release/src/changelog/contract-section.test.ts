import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { Contract, DocumentChange } from '../contract/contract-change.ts';
import { emitContractSection, insertSection, releaseNotes } from './contract-section.ts';

const isNew = (operation: string): Change => ({
  kind: 'addition',
  rule: 'endpoint-added',
  operation,
  part: '',
  text: 'is new',
});
const isGone: Change = { kind: 'breaking', rule: 'endpoint-removed', operation: 'GET /b', part: '', text: 'is gone' };
const existing = (title: string, ...changes: Change[]): DocumentChange => ({
  ...{ path: `${title}.json`, title, state: 'existing', changes, operations: 9 },
});
const emit = (documents: DocumentChange[], version: string | undefined = '0.2.0') => {
  const release = version === '' ? undefined : { tag: `a@${version}`, version };
  return emitContractSection({ contract: {} as Contract, release, documents, rating: 'minor' });
};

describe('emitContractSection', () => {
  it('is empty for a contract without visible changes', () => {
    expect(emit([existing('A'), existing('B')])).toBe('');
  });

  it('lists breaking changes first, with a warning before 1.0', () => {
    const lines = ['**Breaks callers**', '- `GET /b` is gone.', '**New**', '- `GET /a` is new.'].join('\n\n');
    const warning = 'Before 1.0 a minor version may break callers: read the first list.';
    expect(emit([existing('A', isNew('GET /a'), isGone)])).toBe(`### The contract\n\n${warning}\n\n${lines}`);
    expect(emit([existing('A', isNew('GET /a'), isGone)], '1.2.0')).toBe(`### The contract\n\n${lines}`);
  });

  it('lists only the differences of a document that changes like the first', () => {
    const [a, b] = [isNew('GET /a'), isNew('GET /b')];
    const of = '### The contract\n\n#### A\n\n**New**\n\n- `GET /a` is new.\n\n';
    expect(emit([existing('A', a), existing('B', a)])).toBe(`${of}**B** changes in the same way.`);
    expect(emit([existing('A', a), existing('B', a, b)])).toBe(
      `${of}**B** changes in the same way, and also:\n\n**New**\n\n- \`GET /b\` is new.`,
    );
    expect(emit([existing('A', a), existing('B', b)])).toBe(`${of}#### B\n\n**New**\n\n- \`GET /b\` is new.`);
    expect(emit([existing('A', a), existing('B')])).toBe(of.trimEnd());
    expect(emit([existing('A'), existing('B', b)])).toBe('### The contract\n\n#### B\n\n**New**\n\n- `GET /b` is new.');
  });

  it('names documents that are new, gone, or released for the first time', () => {
    const one: DocumentChange = { ...existing('A'), state: 'new', operations: 1 };
    expect(emit([one, existing('B', isNew('GET /b'))])).toContain('**A** begins with one operation.\n\n#### B');
    expect(emit([{ ...one, state: 'gone' }])).toContain('**A** is gone.');
    expect(emit([{ ...one, operations: 9 }], '')).toBe('### The contract\n\n**A** begins with 9 operations.');
  });

  it('limits a long list', () => {
    const many = Array.from({ length: 45 }, (_, i) => ({ ...isNew(`GET /${i}`), text: `is new, ${i}` }));
    expect(
      emit([existing('A', ...many)])
        .split('\n')
        .at(-1),
    ).toBe('- … and 5 more, listed by `rostergate diff`.');
  });
});

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
