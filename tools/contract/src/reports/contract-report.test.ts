import { expect, it } from 'vitest';
import { emitContractDoc } from './contract-report.ts';

it('has a line per operation with its statements, responses and the number of tests', () => {
  const file = 'tools/acceptance/src/staff/x.test.ts';
  const tests = [
    { subject: 'readIt', name: '200', text: 'returns it', file },
    { subject: 'readIt', name: '404', text: 'rejects an unknown key', file },
  ];
  const listed = [
    { name: '200', description: 'Done.' },
    { name: '404', description: 'Unknown.' },
    { name: 'default', description: 'Other.' },
  ];
  const report = emitContractDoc({
    before: '# Report',
    operations: [
      { operationId: 'readIt', method: 'GET', path: '/x', summary: '', statements: ['It is read.'], listed },
    ],
    checkedStatements: {
      info: [{ statement: 'All a | b.', tests: tests.slice(1) }],
      readIt: [{ statement: 'It is read.', tests: tests.slice(0, 1) }],
      Body: [{ statement: 'One member.', tests: tests.slice(0, 1) }],
    },
    guarantees: tests,
    reasons: { default: 'stands for others' },
  });
  const link = '[x](../../tools/acceptance/src/staff/x.test.ts)';
  expect(report).toContain(`| \`readIt\` | \`GET /x\` | 1 | \`200\` \`404\` \`default\` | 2: ${link} |`);
  expect(report).toContain('- `default` has no test of its own where none is listed: it stands for others.');
  expect(report).toContain(`| All a \\| b. | 1: ${link} |`);
  expect(report).toContain(`| \`Body\` | One member. | 1: ${link} |`);
});
