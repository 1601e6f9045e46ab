import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import type { Operation } from './read-operations.ts';

/** The subject of a title that holds for each operation that the test goes over. */
export const everyOperation = '$operationId';

/**
 * Turns what holds for many operations into a guarantee of each: `requestsThatAnswer(404)` goes over all that the
 * contract lets answer 404, `writesThatAnswer(404)` over those that change something, `requestsThatTake('If-Match')` over
 * all that take the parameter; `requests` over all that there are, `writes` over all that change something. The login is in
 * none of them: it is nobody's data.
 * @throws Error for a title that speaks of something else than its test goes over
 */
export function spreadGuarantees(guarantees: readonly Guarantee[], operations: readonly Operation[]): Guarantee[] {
  return guarantees.flatMap((guarantee) => {
    if (guarantee.subject !== everyOperation) return [guarantee];
    const { name, text, file, each = '' } = guarantee;
    const goesOver = readEach(each, name);
    if (goesOver === undefined) {
      throw new Error(`${file}: "${name}: ${text}" goes over ${each}, which does not say which.`);
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
