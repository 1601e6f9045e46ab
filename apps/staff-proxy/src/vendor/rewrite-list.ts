import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/server';
import { rewriteBytes, rewriteStream } from '../json/json-rewriter.ts';
import { openBrace } from '../json/value-scanner.ts';
import type { StaffCall } from '../staff-call.ts';
import { firstByteOf, peekFirstByte } from '../upstream/relay-response.ts';
import { rethrowAsBrokenOff } from '../upstream/upstream-problem.ts';
import { createElementRewriter, type Member } from './element-rewriter.ts';

/** Returns a list with each object rewritten, one at a time while it streams. An envelope gets its media type. */
export async function rewriteList(
  reply: RawReply,
  call: StaffCall,
  rewrite: (element: unknown) => unknown,
): Promise<RawReply> {
  const rewriter = createElementRewriter({ rewrite, rewriteMember: (name, value) => ownMember(call, name, value) });
  const { 'Content-Length': _length, ETag: _tag, ...headers } = reply.headers ?? {};
  const { status, raw } = reply;
  if (raw instanceof Readable) {
    const rewritten = rewriteStream(raw, rewriter, status);
    // Only the rewritten text distinguishes an envelope from a lone object.
    const first = await peekFirstByte(rewritten).catch(rethrowAsBrokenOff(status));
    return { status, contentType: typeOf(first, reply), headers, raw: rewritten };
  }
  const rewritten = rewriteBytes(Buffer.from(raw), rewriter, status);
  return { status, contentType: typeOf(firstByteOf(rewritten), reply), headers, raw: rewritten };
}

function typeOf(first: number | undefined, { contentType }: RawReply): string | undefined {
  return first === openBrace ? 'application/json;odata.metadata=minimal' : contentType;
}

/**
 * Returns a member of an envelope in the contract's form, with links to this proxy; undefined for a member that the
 * contract does not have.
 * @throws SyntaxError for a next link that leads anywhere but to this list.
 */
function ownMember({ operation }: StaffCall, name: string, value: unknown): Member | undefined {
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

/** Returns a link relative to the list, without the company, which the key determines. */
function ownNextLink(path: string, link: string): string {
  const list = path.slice(path.lastIndexOf('/') + 1);
  const url = URL.parse(link, `http://vendor.invalid/${list}`);
  const segment = url?.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (url === null || segment?.toLowerCase() !== list.toLowerCase() || url.search === '') {
    throw new SyntaxError('The next link leads elsewhere.');
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
