/** Why something that the contract lists has no test of its own, by the name of the answer or parameter. */
export const reasons: Readonly<Record<string, string>> = {
  default:
    'stands for the statuses that it lists: tests make each operation respond with each of them, and any other status is a fault',
};
