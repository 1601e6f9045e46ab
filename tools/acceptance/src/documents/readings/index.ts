import { callerReadings } from './callers.ts';
import { exampleReadings } from './examples.ts';
import { gatewayReadings } from './gateway.ts';
import { howToReadings } from './how-to.ts';
import type { KnownReading } from './reading.ts';
import { schedulingReadings } from './scheduling.ts';
import { staffProxyReadings } from './staff-proxy.ts';
import { workspaceReadings } from './workspace.ts';

/** Every reading. A block without a reading states in its page why it is not run. */
export const readings: readonly KnownReading[] = [
  ...workspaceReadings,
  ...gatewayReadings,
  ...staffProxyReadings,
  ...schedulingReadings,
  ...howToReadings,
  ...callerReadings,
  ...exampleReadings,
];
