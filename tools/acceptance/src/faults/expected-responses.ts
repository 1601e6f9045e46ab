import type { Outcome } from './ask-timed.ts';
import type { FaultName } from './faults.ts';

/** The response to a client, in short. */
export type Got = '200' | '200, cut off' | '200, until the client leaves' | 'no response' | '502' | '503' | '504';

/** The expected response of the proxy to a read with each mode of response validation. */
export const expectedAtProxy: Readonly<Record<FaultName, readonly [sample: Got, strict?: Got]>> = {
  'responds late': ['200'],
  'never responds': ['504'],
  'drips the head': ['504'],
  'drips a short body': ['504'],
  'drips a long body': ['200, until the client leaves', '504'],
  'drips without a length': ['200, until the client leaves', '504'],
  'stalls in a short body': ['504'],
  'stalls in a long body': ['200, cut off', '504'],
  'stalls before the body': ['504'],
  'resets on connect': ['502'],
  'resets on a request': ['502'],
  'resets in a long body': ['200, cut off', '502'],
  'closes without a response': ['502'],
  'closes in the head': ['502'],
  'truncates a short body': ['502'],
  'truncates a long body': ['200, cut off', '502'],
  'truncates chunks': ['200, cut off', '502'],
  'truncates JSON': ['502'],
  'truncates a long JSON': ['200', '502'],
  'sends an empty body': ['502'],
  'sends garbage': ['502'],
  'sends noise as JSON': ['502'],
  'sends TLS': ['502'],
  'sends a page': ['502'],
  'sends no content type': ['502'],
  'compresses unasked': ['502'],
  'sends a head of 64 KiB': ['502'],
  'sends a head without end': ['502'],
  'sends 2,000 headers': ['200'],
  'sends two lengths': ['502'],
  'sends status 799': ['502'],
  'sends a status of letters': ['502'],
  'sends hints without end': ['504'],
  'sends hints first': ['200'],
  'continues unasked': ['200'],
  'sends a second response unasked': ['200'],
  'sends without end': ['200, until the client leaves', '502'],
  redirects: ['502'],
  'rejects every token': ['502'],
  'is over its limit for a second': ['503'],
  'is over its limit for an hour': ['503'],
  'is over its limit': ['503'],
  fails: ['502'],
  'is overloaded': ['503'],
  'breaks the contract': ['200', '502'],
  'never responds to a login': ['504'],
  'fails a login': ['502'],
  'rejects a login': ['502'],
  'logs in without a token': ['502'],
  'drips a login': ['504'],
  'logs in with a token of line breaks': ['502'],
};

/**
 * The expected response of a gateway, which passes responses through; for other faults the client receives the complete
 * response.
 */
export const expectedAtGateway: Readonly<Partial<Record<FaultName, Got>>> = {
  'never responds': '504',
  'drips the head': '504',
  'sends hints without end': '504',
  'drips a short body': '200, until the client leaves',
  'drips a long body': '200, until the client leaves',
  'drips without a length': '200, until the client leaves',
  'stalls in a short body': '200, until the client leaves',
  'stalls in a long body': '200, until the client leaves',
  'stalls before the body': '504',
  'sends without end': '200, until the client leaves',
  'resets on connect': '502',
  'resets on a request': '502',
  'closes without a response': '502',
  'closes in the head': '502',
  'sends garbage': '502',
  'sends TLS': '502',
  'sends a head of 64 KiB': '502',
  'sends a head without end': '502',
  'sends two lengths': '502',
  'sends status 799': '502',
  'sends a status of letters': '502',
  'resets in a long body': '200, cut off',
  'truncates a short body': '200, cut off',
  'truncates a long body': '200, cut off',
  'truncates chunks': '200, cut off',
};

export function describeOutcome({ status, isWhole, hasHungUp }: Outcome): Got {
  if (isWhole) return String(status) as Got;
  if (status === 0) return 'no response';
  return hasHungUp ? '200, until the client leaves' : '200, cut off';
}

/** Whether a response is a failure by the upstream or by its deadline: either can come first. */
export function isFailure(got: Got): boolean {
  return got === '502' || got === '504';
}
