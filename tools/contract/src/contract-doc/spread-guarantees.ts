import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import type { Operation } from './read-operations.ts';

/** The subject of a title that applies to each operation in the `test.each` of its test. */
export const everyOperation = '$operationId';

/**
 * Returns a guarantee of each operation in place of one for many. `requestsThatAnswer(404)` covers the operations whose
 * contract has a 404, `writesThatAnswer(404)` the writes among them, `requestsThatTake('If-Match')` those with the parameter,
 * `requests` all operations, `writes` all writes. None of them covers `login`, which belongs to no company.
 * @throws Error for a title that names another status or parameter than its `test.each`
 */
export function spreadGuarantees(guarantees: readonly Guarantee[], operations: readonly Operation[]): Guarantee[] {
  return guarantees.flatMap((guarantee) => {
    if (guarantee.subject !== everyOperation) return [guarantee];
    const { name, text, file, each = '' } = guarantee;
    const goesOver = readEach(each, name);
    if (goesOver === undefined) {
      throw new Error(`${file}: "${name}: ${text}" goes over ${each}, which does not name the operations.`);
    }
    return operations
      .filter(({ operationId, method, listed }) => {
        if (operationId === 'login' || !listed.some((one) => one.name === name)) return false;
        return goesOver === 'all' || method !== 'GET';
      })
      .map(({ operationId }) => ({ subject: operationId, name, text, file }));
  });
}

function readEach(each: string, name: string): 'all' | 'writes' | undefined {
  const text = each.replaceAll(/\s+/g, ' ').trim();
  if (text === 'requests') return 'all';
  if (text === 'writes' || text === 'requests.filter(({ isWrite }) => isWrite)') return 'writes';
  const [, which, given] = /^(requestsThatAnswer|writesThatAnswer|requestsThatTake)\('?([\w$-]+)'?\)$/.exec(text) ?? [];
  if (given !== name) return undefined;
  return which === 'writesThatAnswer' ? 'writes' : 'all';
}
