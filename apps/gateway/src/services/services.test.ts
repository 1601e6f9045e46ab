import type { IncomingMessage } from 'node:http';
import type { ServiceContext } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { describeBuiltInServices } from './index.ts';

const context: ServiceContext = {
  requestId: 'test',
  signal: new AbortController().signal,
  principal: null,
  req: {} as IncomingMessage,
};
const inputs: Record<string, unknown[]> = {
  crypto: [{}, { symbol: ' sol ' }, { symbol: '' }],
  echo: [{}, { message: 'a', body: { n: 1 } }],
  static: [{ answer: { a: [1] } }],
};

it('includes every service that is tested here', () => {
  expect(describeBuiltInServices().map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(inputs)));
});

describe.each(describeBuiltInServices().map((service) => [service.name, service] as const))('%s', (name, service) => {
  it('returns responses that match its contract', async () => {
    for (const input of inputs[name] ?? []) {
      const { body } = input as { body?: unknown };
      const parsed = { ...service.parameters.parse(input), ...(body === undefined ? {} : { body }) };
      const answer = await service.handle(parsed, context);
      expect(service.response.parse(answer)).toEqual(answer);
    }
  });

  it('has an example that matches its contract', () => {
    if (service.example !== undefined) expect(service.response.parse(service.example)).toEqual(service.example);
  });
});
