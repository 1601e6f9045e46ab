import { testReadings } from './test-readings.ts';

testReadings('curl', (page) => page.startsWith('docs/how-to/'));
