import { testReadings } from './test-readings.ts';

// As readers have: a shell, curl and openssl.
testReadings('curl');
