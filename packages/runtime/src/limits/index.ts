export { type AddressKeyOptions, addressKey, createAddressKey } from './address-key.ts';
export { createLimiter, type Limiter, type LimiterOptions, monotonicNow, quotaExceeded } from './limiter.ts';
export { SlidingWindow, type SlidingWindowOptions, type WindowState } from './sliding-window.ts';
export { SlidingWindowStore, type SlidingWindowStoreOptions } from './sliding-window-store.ts';
