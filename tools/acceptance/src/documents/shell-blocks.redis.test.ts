import { testReadings } from './test-readings.ts';

testReadings('redis');
