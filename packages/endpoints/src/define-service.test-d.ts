import { z } from 'zod';
import { defineService } from './define-service.ts';

const common = { name: 'orders', summary: 'Orders', parameters: z.object({ id: z.string() }) };
const order = z.object({ id: z.string(), count: z.number() });
const responses = {
  200: { stream: 'text/event-stream', data: z.object({ price: z.number() }) },
  201: { body: order, headers: { Location: z.string(), 'X-Left': z.number().optional() } },
  202: { stream: 'text/csv' },
  204: {},
} as const;

/** Never runs. The compiler checks that each line marked as an error is one. */
export function typesHold(): void {
  defineService({ ...common, response: order, handle: ({ id }) => ({ id, count: 1 }) });
  defineService({
    ...common,
    response: order,
    responses: { 201: { body: order, headers: { Location: z.string() } }, 204: {} },
    problems: { out_of_stock: { status: 409, title: 'Out of stock' } },
    handle({ id }, _context, problems) {
      if (id === '') return { status: 204 };
      if (id === 'a') throw problems.out_of_stock('Order fewer.', { headers: { 'Retry-After': '1' } });
      if (id === 'b') return { status: 200, body: { id, count: 1 } };
      return { status: 201, body: { id, count: 1 }, headers: { Location: `/orders/${id}` } };
    },
  });
  defineService({
    ...common,
    responses,
    async handle({ id }) {
      if (id === '') return { status: 202, body: ['a,b\n', new Uint8Array()] };
      return { status: 201, body: { id, count: 1 }, headers: { Location: id, 'X-Left': 3 } };
    },
  });
  defineService({ ...common, responses, handle: () => ({ status: 200, body: prices(1) }) });

  // @ts-expect-error responses declares no 203
  defineService({ ...common, responses, handle: () => ({ status: 203 }) });
  // @ts-expect-error responses declares no 203, in one branch of an asynchronous function
  defineService({ ...common, responses, handle: async ({ id }) => (id ? { status: 204 } : { status: 203 }) });
  // @ts-expect-error a plain value has no status
  defineService({ ...common, responses, handle: ({ id }) => ({ id, count: 1 }) });
  // @ts-expect-error 204 has no body
  defineService({ ...common, responses, handle: () => ({ status: 204, body: {} }) });
  // @ts-expect-error 201 has a body
  defineService({ ...common, responses, handle: ({ id }) => ({ status: 201, headers: { Location: id } }) });
  defineService({
    ...common,
    // @ts-expect-error count is a number
    responses,
    handle: ({ id }) => ({ status: 201, body: { id, count: '1' }, headers: { Location: id } }),
  });
  // @ts-expect-error Location is required
  defineService({ ...common, responses, handle: ({ id }) => ({ status: 201, body: { id, count: 1 } }) });
  defineService({
    ...common,
    // @ts-expect-error responses declares no header Locatoin
    responses,
    handle: ({ id }) => ({ status: 201, body: { id, count: 1 }, headers: { Location: id, Locatoin: id } }),
  });
  // @ts-expect-error 204 has no headers
  defineService({ ...common, responses, handle: () => ({ status: 204, headers: { Location: '/' } }) });
  // @ts-expect-error price is a number
  defineService({ ...common, responses, handle: () => ({ status: 200, body: prices('1') }) });
  // @ts-expect-error a stream is bytes or text
  defineService({ ...common, responses, handle: () => ({ status: 202, body: [1] }) });
  defineService({
    ...common,
    response: order,
    problems: { out_of_stock: { status: 409, title: 'Out of stock' } },
    handle(_input, _context, problems) {
      // @ts-expect-error there is no such problem
      throw problems.sold_out('Order fewer.');
    },
  });
}

async function* prices<T>(price: T) {
  yield { event: 'price', data: { price }, id: '1', retry: 1_000 };
}
