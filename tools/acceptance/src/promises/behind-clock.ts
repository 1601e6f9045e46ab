/**
 * Loaded into a server by `--import`: its clock is an hour behind that of the machine from the start, as on a second
 * machine whose clock nobody sets.
 */
const behindMs = 3_600_000;

Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin - behindMs });
