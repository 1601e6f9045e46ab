import { definePolicy, Problem, z } from 'rostergate';

/** Admits requests of known tenants, and reports how long each took. */
export default definePolicy({
  options: z.object({ tenants: z.array(z.string()) }),
  answers: { 403: 'The tenant is unknown.' },
  before({ req, state }, { tenants }) {
    const tenant = req.headers['x-tenant'];
    if (typeof tenant !== 'string' || !tenants.includes(tenant)) {
      throw new Problem('operation_forbidden', 'Send one of your tenants in X-Tenant.');
    }
    state.startedMs = performance.now();
  },
  after(reply, { state }) {
    const ms = Math.round(performance.now() - Number(state.startedMs));
    return { ...reply, headers: { ...reply.headers, 'Server-Timing': `gateway;dur=${ms}` } };
  },
});
