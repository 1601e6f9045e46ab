import { defineService, z } from 'rostergate';

const orders = [
  { owner: 'corp:orders-app', item: 'lamp' },
  { owner: 'corp:another-app', item: 'chair' },
];

export default defineService({
  name: 'orders',
  summary: 'The orders of the caller',
  parameters: z.object({}),
  response: z.object({ owner: z.string(), items: z.array(z.string()) }),
  example: { owner: 'corp:orders-app', items: ['lamp'] },
  handle(_, { principal }) {
    // The name of the issuer, and the claim that identifies the caller.
    const owner = principal?.owner ?? '';
    return { owner, items: orders.filter((order) => order.owner === owner).map(({ item }) => item) };
  },
});
