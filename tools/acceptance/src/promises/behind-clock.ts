/**
 * Loaded into a server by `--import`: its clock is an hour behind the machine, like on a second machine without NTP.
 */
const behindMs = 3_600_000;

Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin - behindMs });
