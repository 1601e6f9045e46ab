/**
 * Returns `count` endpoints of the kinds that a configuration has: with and without path and query parameters, and with
 * and without a body.
 */
export function createEndpoints(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    summary: `Endpoint ${i}`,
    tags: [`Team ${i % 40}`],
    ...kindOf(i),
  }));
}

function kindOf(i: number): object {
  switch (i % 4) {
    case 0:
      return { path: `/api/team${i % 40}/price${i}`, service: 'crypto' };
    case 1:
      return { path: `/api/team${i % 40}/coins${i}/{symbol}`, service: 'crypto', requires_auth: i % 8 === 1 };
    case 2:
      return {
        path: `/api/team${i % 40}/fixed${i}`,
        service: 'static',
        parameters: { answer: { id: i, name: 'fixed' } },
      };
    default:
      return { path: `/api/team${i % 40}/echo${i}`, method: 'POST', service: 'echo' };
  }
}

/** Returns the path of an endpoint that responds 200 to a plain GET: the middle one, or the n-th modulo `count`. */
export function callablePath(count: number, n = count >> 1): string {
  const i = (n * 4 + 2) % count;
  const callable = i - (i % 4) + 2 < count ? i - (i % 4) + 2 : 2;
  return `/api/team${callable % 40}/fixed${callable}`;
}
