import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Exchange } from './exchange.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** An exchange whose test sends the response, with 10 ms for its head and 20 ms between pieces of its body. */
function start({ silenceMsMax = 20 } = {}) {
  const controller = { abort: vi.fn(), pause: vi.fn(), resume: vi.fn() } as never;
  const exchange = new Exchange({
    ...{ headMsMax: 10, silenceMsMax },
    ...{ signal: undefined, onInterim: undefined, onHead: undefined, onSettled: undefined },
  });
  exchange.onRequestStart(controller);
  return {
    response: exchange.response,
    begin: (headers = {}) => exchange.onResponseStart(controller, 200, headers),
    send: (size = 1) => exchange.onResponseData(controller, Buffer.alloc(size, 'x')),
    end: () => exchange.onResponseEnd(),
  };
}

const late = { code: 'upstream_timeout' };

describe('an exchange', () => {
  it('fails when the head of the response is late', async () => {
    const { response } = start();
    const outcome = expect(response).rejects.toMatchObject(late);
    vi.advanceTimersByTime(10);
    await outcome;
  });

  it('has no deadline when everything arrived with the head', async () => {
    const { response, begin, send, end } = start();
    begin();
    send();
    end();
    vi.advanceTimersByTime(60);
    expect(vi.getTimerCount()).toBe(0);
    expect(await text((await response).body)).toBe('x');
  });

  it('fails when no more of the body arrives in time', async () => {
    const { response, begin, send } = start();
    begin();
    const outcome = expect(text((await response).body)).rejects.toMatchObject(late);
    vi.advanceTimersByTime(15);
    send();
    vi.advanceTimersByTime(20);
    await outcome;
  });

  it.each([Number.POSITIVE_INFINITY, 3e9])(
    'waits for more of the body with a deadline of %s ms',
    async (silenceMsMax) => {
      const { response, begin, send, end } = start({ silenceMsMax });
      begin();
      const body = text((await response).body);
      send();
      vi.advanceTimersByTime(1_000);
      send();
      end();
      expect(await body).toBe('xx');
    },
  );

  it('fails when no byte of the body arrives by the deadline of the head', async () => {
    const { response, begin } = start();
    vi.advanceTimersByTime(4);
    begin();
    const outcome = expect(text((await response).body)).rejects.toMatchObject(late);
    vi.advanceTimersByTime(6);
    await outcome;
  });

  it('waits longer for the first event of an event stream', async () => {
    const { response, begin, send, end } = start();
    begin({ 'content-type': 'text/event-stream; charset=utf-8' });
    const whole = text((await response).body);
    vi.advanceTimersByTime(19);
    send();
    end();
    expect(await whole).toBe('x');
  });

  it('continues while data arrives now and then', async () => {
    const { response, begin, send, end } = start();
    begin();
    const whole = text((await response).body);
    for (let piece = 0; piece < 10; piece++) {
      send();
      vi.advanceTimersByTime(19);
    }
    end();
    expect(await whole).toHaveLength(10);
  });

  it('waits for a slow reader', async () => {
    const { response, begin, send, end } = start();
    begin();
    const { body } = await response;
    for (let piece = 0; piece < 3; piece++) send(100_000);
    vi.advanceTimersByTime(200);
    end();
    expect(await text(body)).toHaveLength(300_000);
  });
});
