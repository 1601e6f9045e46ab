import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { Contract } from '../contract/find-contracts.ts';
import type { DocumentChange } from '../contract/load-contract-change.ts';
import { emitContractSection } from './emit-contract-section.ts';

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
