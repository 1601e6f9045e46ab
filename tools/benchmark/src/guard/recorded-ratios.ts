/** What stood beside what on a quiet machine when it was last recorded, as docs/performance.md tells. */
const recordedRatios = {
  gatewayToBare: 0.68,
  bytesToBare: 0.8,
  manyEndpointsToOne: 1,
  forwardingToPeer: 0.75,
  /** Parsing and binding a filter, to JSON.parse of the same tree. */
  filterToJson: 1.4,
} as const;

/** So many times what was recorded is no noise any more. */
const marginOfGuard = 1.5;

/** The most that a ratio may be. */
export function guardedMax(name: keyof typeof recordedRatios): number {
  return recordedRatios[name] * marginOfGuard;
}
