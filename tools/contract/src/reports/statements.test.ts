import { describe, expect, it } from 'vitest';
import { checkStatements, type StatementTest } from './statements.ts';

const contract = {
  statements: ['All are read.'],
  operations: [
    { operationId: 'readIt', method: 'GET', path: '/x', summary: '', statements: ['It is read;', 'once.'], listed: [] },
  ],
  sent: {},
  members: { 'It.Pin': ['It is hidden.'], 'It.Name': ['Its name.'] },
};
const guarantees = [
  { subject: 'readIt', name: '200', text: 'is read', file: 'x.test.ts' },
  { subject: 'rule', name: 'all at once', text: 'are read', file: 'x.test.ts' },
];
const statements = {
  info: [['All are read.', 'rule all at once']],
  readIt: [
    ['It is read', '200'],
    ['once', 'rule all at once'],
  ],
} satisfies Record<string, StatementTest[]>;
const gapsOf = (statementTests: Record<string, StatementTest[]>) =>
  checkStatements({ contract, statementTests, guarantees }).gaps;

describe('the statements of the contract', () => {
  it('have their tests', () => {
    const { checked, gaps } = checkStatements({ contract, statementTests: statements, guarantees });
    expect(gaps).toEqual([]);
    expect(checked.readIt).toEqual([
      { statement: 'It is read;', tests: [guarantees[0]] },
      { statement: 'once.', tests: [guarantees[1]] },
    ]);
    expect(checked).not.toHaveProperty(['It.Name']);
  });

  it.each<[string, Record<string, StatementTest[]>, string]>([
    [
      'a statement without tests',
      { ...statements, info: [] },
      'No test checks this statement of info: "All are read."',
    ],
    [
      'words that are not in the contract',
      { ...statements, info: [['Gone', '200']] },
      '0 statements of info contain "Gone"',
    ],
    [
      'words that two statements contain',
      { ...statements, readIt: [['.', '200']] },
      'No test checks this statement of readIt: "It is read;"',
    ],
    ['an operation that does not exist', { ...statements, gone: [] }, 'The contract has no statements about gone.'],
    ['a test that does not exist', { ...statements, info: [['All', 'rule none']] }, 'called "rule none: …"'],
    ['a member without a test', { ...statements, 'It.Pin': [] }, 'No test checks this statement of It.Pin'],
  ])('are reported for %s', (_, statementTests, gap) => {
    expect(gapsOf(statementTests).join('\n')).toContain(gap);
  });
});
