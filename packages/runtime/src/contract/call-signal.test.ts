import { describe, expect, it } from 'vitest';
import { CallController, toAbortSignal } from './call-signal.ts';

describe('a call signal', () => {
  it('tells all who listen, once', () => {
    const told: string[] = [];
    const call = new CallController();
    const left = () => told.push('left');
    call.addEventListener('abort', () => told.push('first'));
    call.addEventListener('abort', left);
    call.addEventListener('abort', () => told.push('second'));
    call.removeEventListener('abort', left);
    expect(call.aborted).toBe(false);
    call.abort();
    call.abort();
    expect(told).toEqual(['first', 'second']);
    expect(call.aborted).toBe(true);
  });

  it('is an AbortSignal for whoever needs one, before and after the sign', () => {
    const call = new CallController();
    const before = toAbortSignal(call);
    expect(before.aborted).toBe(false);
    call.abort();
    expect([before.aborted, toAbortSignal(call).aborted]).toEqual([true, true]);
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
