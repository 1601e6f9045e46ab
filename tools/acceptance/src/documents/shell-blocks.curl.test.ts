import { testReadings } from './test-readings.ts';

// The programs of a reader: a shell, curl and openssl. The how-to pages have a file of their own, which runs beside this.
testReadings('curl', (page) => !page.startsWith('docs/how-to/'));
