/** Why something that the contract lists has no test of its own, by its name or by that of its operation and its own. */
export const reasons: Readonly<Record<string, string>> = {
  default:
    'stands for the statuses that it lists: tests make each operation respond with each of them, and any other status is a fault',
  500: 'stands for a fault of the proxy itself: none is known that a request can bring about. One of the upstream is 502',
};
