import { describe, expect, it } from 'vitest';
import { checkLines } from './check-lines.ts';
import type { ContractLine } from './contract-lines.ts';

const contract = {
  lines: ['All are read.'],
  operations: [
    { operationId: 'readIt', method: 'GET', path: '/x', summary: '', lines: ['It is read;', 'once.'], listed: [] },
  ],
  sent: {},
  members: { 'It.Pin': ['It is hidden.'], 'It.Name': ['Its name.'] },
};
const guarantees = [
  { subject: 'readIt', name: '200', text: 'is read', file: 'x.test.ts' },
  { subject: 'rule', name: 'all at once', text: 'are read', file: 'x.test.ts' },
];
const lines = {
  info: [['All are read.', 'rule all at once']],
  readIt: [
    ['It is read', '200'],
    ['once', 'rule all at once'],
  ],
} satisfies Record<string, ContractLine[]>;
const gapsOf = (contractLines: Record<string, ContractLine[]>) =>
  checkLines({ contract, contractLines, guarantees }).gaps;

describe('the lines of the contract', () => {
  it('each have their tests', () => {
    const { held, gaps } = checkLines({ contract, contractLines: lines, guarantees });
    expect(gaps).toEqual([]);
    expect(held.readIt).toEqual([
      { line: 'It is read;', held: [guarantees[0]] },
      { line: 'once.', held: [guarantees[1]] },
    ]);
    expect(held).not.toHaveProperty(['It.Name']);
  });

  it.each<[string, Record<string, ContractLine[]>, string]>([
    ['a line that nothing holds', { ...lines, info: [] }, 'nothing holds this line of info: "All are read."'],
    ['words that the contract does not have', { ...lines, info: [['Gone', '200']] }, '0 lines of info say "Gone"'],
    ['words of two lines', { ...lines, readIt: [['.', '200']] }, 'nothing holds this line of readIt: "It is read;"'],
    ['an operation that does not exist', { ...lines, gone: [] }, 'the contract says nothing of gone.'],
    ['a test that does not exist', { ...lines, info: [['All', 'rule none']] }, 'called "rule none: …"'],
    ['a member without a test', { ...lines, 'It.Pin': [] }, 'nothing holds this line of It.Pin'],
  ])('tell of %s', (_, contractLines, told) => {
    expect(gapsOf(contractLines).join('\n')).toContain(told);
  });
});
