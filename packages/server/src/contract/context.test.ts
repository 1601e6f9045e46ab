import { describe, expect, it } from 'vitest';
import { CallController, toAbortSignal } from './context.ts';

describe('a call signal', () => {
  it('calls each listener once', () => {
    const calls: string[] = [];
    const call = new CallController();
    const removed = () => calls.push('removed');
    call.addEventListener('abort', () => calls.push('first'));
    call.addEventListener('abort', removed);
    call.addEventListener('abort', () => calls.push('second'));
    call.removeEventListener('abort', removed);
    expect(call.aborted).toBe(false);
    call.abort();
    call.abort();
    expect(calls).toEqual(['first', 'second']);
    expect(call.aborted).toBe(true);
  });

  it('converts to an AbortSignal before and after the abort', () => {
    const call = new CallController();
    const before = toAbortSignal(call);
    expect(before.aborted).toBe(false);
    call.abort();
    expect([before.aborted, toAbortSignal(call).aborted]).toEqual([true, true]);
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
