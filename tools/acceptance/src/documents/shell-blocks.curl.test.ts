import { testReadings } from './test-readings.ts';

// The programs of a reader: a shell, curl and openssl.
testReadings('curl');
