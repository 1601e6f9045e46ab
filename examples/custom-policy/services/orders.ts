import { defineService, z } from 'rostergate';

const orders = [
  { tenant: 'acme', item: 'anvil' },
  { tenant: 'globex', item: 'hammock' },
];

export default defineService({
  name: 'orders',
  summary: 'The orders of a tenant',
  parameters: z.object({ tenant: z.string().meta({ in: 'header', key: 'X-Tenant' }) }),
  response: z.array(z.string()),
  example: ['anvil'],
  handle: ({ tenant }) => orders.filter((order) => order.tenant === tenant).map(({ item }) => item),
});
