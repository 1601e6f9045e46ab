import { describe, expect, it } from 'vitest';
import { type ContractLine, checkLines } from './check-lines.ts';

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
  it('have their tests', () => {
    const { checked, gaps } = checkLines({ contract, contractLines: lines, guarantees });
    expect(gaps).toEqual([]);
    expect(checked.readIt).toEqual([
      { line: 'It is read;', tests: [guarantees[0]] },
      { line: 'once.', tests: [guarantees[1]] },
    ]);
    expect(checked).not.toHaveProperty(['It.Name']);
  });

  it.each<[string, Record<string, ContractLine[]>, string]>([
    ['a line without tests', { ...lines, info: [] }, 'no test checks this line of info: "All are read."'],
    ['words that are not in the contract', { ...lines, info: [['Gone', '200']] }, '0 lines of info contain "Gone"'],
    [
      'words that two lines contain',
      { ...lines, readIt: [['.', '200']] },
      'no test checks this line of readIt: "It is read;"',
    ],
    ['an operation that does not exist', { ...lines, gone: [] }, 'the contract has no lines about gone.'],
    ['a test that does not exist', { ...lines, info: [['All', 'rule none']] }, 'called "rule none: …"'],
    ['a member without a test', { ...lines, 'It.Pin': [] }, 'no test checks this line of It.Pin'],
  ])('are reported for %s', (_, contractLines, gap) => {
    expect(gapsOf(contractLines).join('\n')).toContain(gap);
  });
});
