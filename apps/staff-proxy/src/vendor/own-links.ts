import type { StaffCall } from '../staff-call.ts';
import type { Member } from './element-rewriter.ts';

/**
 * A member of an envelope as the contract has it, with links that lead here: the vendor's name its own address. Undefined
 * for what the contract does not have.
 * @throws SyntaxError for a link to the next part that leads anywhere but to this list.
 */
export function ownMember(
  { operation }: Pick<StaffCall, 'operation'>,
  name: string,
  value: unknown,
): Member | undefined {
  const [, known] = /^@(?:odata\.)?(context|count|nextLink)$/.exec(name) ?? [];
  if (known === 'context') return ['@odata.context', ownContext(String(value))];
  if (known === 'nextLink' && typeof value === 'string') return ['@odata.nextLink', ownNextLink(operation.path, value)];
  const isCount = known === 'count' && Number.isSafeInteger(value) && Number(value) >= 0;
  return isCount ? ['@odata.count', value] : undefined;
}

function ownContext(address: string): string {
  const from = address.indexOf('#');
  const fragment = from < 0 ? '' : address.slice(from);
  return fragment.includes('://') ? '$metadata' : `$metadata${fragment}`;
}

/** Relative to the list itself. The key stands for its company, whatever the vendor calls it. */
function ownNextLink(path: string, link: string): string {
  const list = path.slice(path.lastIndexOf('/') + 1);
  const url = URL.parse(link, `http://vendor.invalid/${list}`);
  const place = url?.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (url === null || place?.toLowerCase() !== list.toLowerCase() || url.search === '') {
    throw new SyntaxError('The link to the next part leads elsewhere.');
  }
  const options = url.search.slice(1).split('&');
  return `${list}?${options.filter((option) => !/^companykey(?:=|$)/i.test(decodeName(option))).join('&')}`;
}

function decodeName(option: string): string {
  try {
    return decodeURIComponent(option.replaceAll('+', ' '));
  } catch {
    return option;
  }
}
