/**
 * The part of an address that one subscriber has, in one spelling: an IPv4 address as it is, one that is mapped into
 * IPv6 as the IPv4 address, and IPv6 by its /56 without zone. The address must be one.
 */
export function addressPrefix(address: string): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address);
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  if ((a | b | c | d | e) === 0 && f === 0xffff) return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`;
  const prefix = [a, b, c, d & 0xff00];
  while (prefix.at(-1) === 0) prefix.pop();
  return `${prefix.map((group) => group.toString(16)).join(':')}::/56`;
}

/** The eight groups of an IPv6 address, the last two perhaps written as IPv4. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = (address.split('%', 1)[0] as string).split('::');
  const first = readGroups(head);
  if (tail === undefined) return first;
  const last = readGroups(tail);
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return Number.parseInt(group, 16);
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
