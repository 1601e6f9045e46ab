import { expect, it } from 'vitest';
import { readOperations, splitStatements } from './read-operations.ts';

it('splits prose at the ends of sentences and at semicolons only', () => {
  expect(splitStatements('One\n  line; `a/b;c=d` is no end.\nAnother (RFC 1, section 2.3).')).toEqual([
    'One line;',
    '`a/b;c=d` is no end.',
    'Another (RFC 1, section 2.3).',
  ]);
});

it('reads the statuses and parameters of an operation, including shared ones and those of its path', () => {
  const { operations, sent, members } = readOperations({
    info: { title: 'T', version: '1', description: 'All.' },
    servers: [{ url: '/v2' }],
    paths: {
      '/health': {},
      '/staffmember/{key}': {
        parameters: [{ $ref: '#/components/parameters/Key' }],
        put: {
          ...{ operationId: 'change', summary: 'Change', description: 'It changes.' },
          parameters: [{ name: 'If-Match', in: 'header', description: 'Version.' }],
          responses: { 200: { description: 'Done.' }, 404: { $ref: '#/components/responses/Gone' } },
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } } },
        },
      },
    },
    components: {
      parameters: { Key: { name: 'key', description: 'Whose.' } },
      responses: { Gone: { description: 'Nobody.' } },
      schemas: { Change: { description: 'What.', properties: { Pin: { description: 'Hidden.' } } } },
    },
  });
  expect(operations).toEqual([
    {
      ...{ operationId: 'change', summary: 'Change', method: 'PUT', path: '/v2/staffmember/{key}' },
      statements: ['It changes.'],
      listed: [
        { name: '200', description: 'Done.' },
        { name: '404', description: 'Nobody.' },
        { name: 'key', description: 'Whose.' },
        { name: 'If-Match', description: 'Version.' },
      ],
    },
  ]);
  expect(sent.Change).toEqual(['What.']);
  expect(members['Change.Pin']).toEqual(['Hidden.']);
});
