import type { Outcome } from './ask-timed.ts';
import type { FaultName } from './faults.ts';

/** What a caller got, in short. */
export type Got = '200' | '200, broken off' | '200, for as long as wanted' | 'no answer' | '502' | '503' | '504';

/** What a caller of the proxy is to get of a read, when answers are checked by sample and when strictly. */
export const expectedAtProxy: Readonly<Record<FaultName, readonly [sample: Got, strict?: Got]>> = {
  'answers late': ['200'],
  'never answers': ['504'],
  'drips the head': ['504'],
  'drips a short body': ['504'],
  'drips a long body': ['200, for as long as wanted', '504'],
  'drips without a length': ['200, for as long as wanted', '504'],
  'stalls in a short body': ['504'],
  'stalls in a long body': ['200, broken off', '504'],
  'stalls before the body': ['504'],
  'resets on connect': ['502'],
  'resets on a request': ['502'],
  'resets in a long body': ['200, broken off', '502'],
  'closes without a word': ['502'],
  'closes in the head': ['502'],
  'truncates a short body': ['502'],
  'truncates a long body': ['200, broken off', '502'],
  'truncates chunks': ['200, broken off', '502'],
  'truncates JSON': ['502'],
  'truncates a long JSON': ['200', '502'],
  'sends an empty body': ['502'],
  'sends garbage': ['502'],
  'sends noise as JSON': ['502'],
  'sends TLS': ['502'],
  'sends a page': ['502'],
  'says no type': ['502'],
  'compresses unasked': ['502'],
  'sends a head of 64 KiB': ['502'],
  'sends a head without end': ['502'],
  'sends 2,000 headers': ['200'],
  'says two lengths': ['502'],
  'says a status beyond HTTP': ['502'],
  'says a status of letters': ['502'],
  'sends hints without end': ['504'],
  'sends hints first': ['200'],
  'continues unasked': ['200'],
  'sends a second answer unasked': ['200'],
  'sends without end': ['200, for as long as wanted', '502'],
  redirects: ['502'],
  'refuses every token': ['502'],
  'is over its limit for a second': ['503'],
  'is over its limit for an hour': ['503'],
  'is over its limit': ['503'],
  fails: ['502'],
  'is overloaded': ['503'],
  'breaks the contract': ['200', '502'],
  'never answers a login': ['504'],
  'fails a login': ['502'],
  'refuses a login': ['502'],
  'logs in without a token': ['502'],
  'drips a login': ['504'],
  'logs in with a token of line breaks': ['502'],
};

/**
 * What a caller of a gateway is to get, which hands on what it gets; where nothing is said, that is whole whatever it
 * holds.
 */
export const expectedAtGateway: Readonly<Partial<Record<FaultName, Got>>> = {
  'never answers': '504',
  'drips the head': '504',
  'sends hints without end': '504',
  'drips a short body': '200, for as long as wanted',
  'drips a long body': '200, for as long as wanted',
  'drips without a length': '200, for as long as wanted',
  'stalls in a short body': '200, for as long as wanted',
  'stalls in a long body': '200, for as long as wanted',
  'stalls before the body': '504',
  'sends without end': '200, for as long as wanted',
  'resets on connect': '502',
  'resets on a request': '502',
  'closes without a word': '502',
  'closes in the head': '502',
  'sends garbage': '502',
  'sends TLS': '502',
  'sends a head of 64 KiB': '502',
  'sends a head without end': '502',
  'says two lengths': '502',
  'says a status beyond HTTP': '502',
  'says a status of letters': '502',
  'resets in a long body': '200, broken off',
  'truncates a short body': '200, broken off',
  'truncates a long body': '200, broken off',
  'truncates chunks': '200, broken off',
};

export function describeOutcome({ status, isWhole, hasHungUp }: Outcome): Got {
  if (isWhole) return String(status) as Got;
  if (status === 0) return 'no answer';
  return hasHungUp ? '200, for as long as wanted' : '200, broken off';
}
