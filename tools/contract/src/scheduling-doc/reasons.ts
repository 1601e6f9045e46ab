/** Why something that the contract lists has no test of its own, by the name of the answer or parameter. */
export const reasons: Readonly<Record<string, string>> = {
  default:
    'stands for every refusal that has no entry of its own, such as 405 and 406: each answer of every test is held against it',
};
