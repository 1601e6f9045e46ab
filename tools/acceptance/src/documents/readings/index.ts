import { callerReadings } from './callers.ts';
import { gatewayReadings } from './gateway.ts';
import { howToReadings } from './how-to.ts';
import type { KnownReading } from './reading.ts';
import { schedulingReadings } from './scheduling.ts';
import { staffProxyReadings } from './staff-proxy.ts';
import { workspaceReadings } from './workspace.ts';

/** Every reading. What none of them reads has to say in its page why nothing runs it. */
export const readings: readonly KnownReading[] = [
  ...workspaceReadings,
  ...gatewayReadings,
  ...staffProxyReadings,
  ...schedulingReadings,
  ...howToReadings,
  ...callerReadings,
];
