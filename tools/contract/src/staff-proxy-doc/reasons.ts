/** Why something that the contract lists has no test of its own, by its name or by that of its operation and its own. */
export const reasons: Readonly<Record<string, string>> = {
  default:
    'stands for every refusal that has no entry of its own, such as 405 and 406, 502 and 504: each answer of every test is held against it',
  500: 'stands for a fault of the proxy itself: none is known that a request can bring about. One of the upstream is 502',
};
