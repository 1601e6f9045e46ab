import { CallController } from '@rostergate/server';
import { afterEach, expect, it, vi } from 'vitest';
import { createLoginQueue, type LoginQueueOptions } from './login-queue.ts';

/** Returns a queue whose work ends on demand, and the names of the started work. */
function createQueue(options?: LoginQueueOptions) {
  const queue = createLoginQueue(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((end) => ends.set(name, end));
    return name;
  };
  const add = (address: string, name: string, { email = name, call = new CallController() } = {}) => {
    const login = queue({ address, email, call }, work(name));
    login.catch(() => {});
    return login;
  };
  /** Ends this work and lets the next begin. */
  const end = async (...names: string[]) => {
    for (const name of names) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    }
  };
  return { queue, begun, add, end };
}
const tooMany = { status: 503, code: 'unavailable', headers: { 'Retry-After': '5' } };

afterEach(() => {
  vi.useRealTimers();
});

it('runs the logins of one address one at a time, and no more than the maximum at once', async () => {
  const { begun, add, end } = createQueue();
  const all = [add('a', 'a1'), add('a', 'a2'), add('b', 'b1'), add('c', 'c1')];
  await end();
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1', 'b1', 'c1', 'a2');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1']);
});

it('lets addresses take turns, however many logins one of them sends', async () => {
  const { begun, add, end } = createQueue({ atOnce: 1 });
  for (const name of ['a1', 'a2', 'a3']) add('a', name);
  add('b', 'b1');
  await end();
  await end('a1', 'a2', 'b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('rejects a login beyond the limit of an e-mail or an address', async () => {
  const { add, end } = createQueue({ perEmailMax: 2, perAddressMax: 3 });
  const email = 'one';
  const admitted = [add('a', 'a1', { email }), add('a', 'a2', { email })];
  await expect(add('a', 'a3', { email })).rejects.toMatchObject(tooMany);
  admitted.push(add('a', 'a4'), add('b', 'b1', { email }));
  await expect(add('a', 'a5')).rejects.toMatchObject(tooMany);
  await end();
  await end('a1', 'b1', 'a2', 'a4');
  expect(await Promise.all(admitted)).toEqual(['a1', 'a2', 'a4', 'b1']);
  const after = add('a', 'a6', { email });
  await end();
  await end('a6');
  expect(await after).toBe('a6');
});

it('drops the last login of the longest lane for another address when the queue is full', async () => {
  const { add, end } = createQueue({ atOnce: 1, max: 3 });
  add('z', 'z1');
  const waiting = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3')];
  const other = add('b', 'b1');
  await expect(waiting[2]).rejects.toMatchObject(tooMany);
  await expect(add('a', 'a4')).rejects.toMatchObject(tooMany);
  await end('z1', 'a1', 'b1', 'a2');
  expect(await Promise.all([...waiting.slice(0, 2), other])).toEqual(['a1', 'a2', 'b1']);
});

it('skips a login whose client has disconnected', async () => {
  const { begun, add, end } = createQueue({ perAddressMax: 2 });
  const call = new CallController();
  add('a', 'a1');
  const gone = add('a', 'a2', { call });
  call.abort();
  await expect(gone).rejects.toMatchObject({ status: 503 });
  add('a', 'a3');
  await end();
  await end('a1');
  expect(begun).toEqual(['a1', 'a3']);
});

it('rejects a login that has waited too long, and none that has begun', async () => {
  const { begun, add, end } = createQueue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const running = add('a', 'a1');
  const late = add('a', 'a2');
  await vi.advanceTimersByTimeAsync(9_999);
  add('a', 'a3');
  await vi.advanceTimersByTimeAsync(1);
  await expect(late).rejects.toMatchObject(tooMany);
  await end('a1');
  expect([await running, begun]).toEqual(['a1', ['a1', 'a3']]);
});

it('admits logins after failed work', async () => {
  const { queue } = createQueue({ perAddressMax: 1 });
  const login = { address: 'a', email: 'e', call: new CallController() };
  await expect(queue(login, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await queue(login, async () => 'right')).toBe('right');
});
