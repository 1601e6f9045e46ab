import { expect, it } from 'vitest';
import { createAdminClient } from './index.ts';

it('sends the key, the body and the path of a change', async () => {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return Response.json({ name: 'app-2', key: 'secret' }, { status: 201 });
  };
  const admin = createAdminClient({ baseUrl: 'https://admin.test', key: 'k1', fetch });
  expect((await admin.rotateKey({ path: { name: 'app' }, body: { overlap_seconds: 60 } })).key).toBe('secret');
  const [request] = requests;
  expect([request?.method, request?.url]).toEqual(['POST', 'https://admin.test/keys/app/rotate']);
  expect(request?.headers.get('X-API-Key')).toBe('k1');
  expect(await request?.json()).toEqual({ overlap_seconds: 60 });
});
