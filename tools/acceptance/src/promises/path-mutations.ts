/** Returns other spellings of a path that some servers treat as the same path. */
export function mutatePath(path: string, host: string): string[] {
  const parts = path.split('/').slice(1);
  const last = parts.at(-1) as string;
  const first = parts[0] as string;
  const parent = `/${parts
    .slice(0, -1)
    .map((part) => `${part}/`)
    .join('')}`;
  const rest = path.slice(first.length + 1);
  const spelled = [
    path,
    path.toUpperCase(),
    path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    ...[path.replace('s', 'ſ'), path.replace('k', 'K'), path.replace('i', 'ı')].map((text) => encodeURI(text)),
    path.replace('a', '\uff41'),
  ];
  const slashes = [
    `${path}/`,
    `${path}//`,
    `/${path}`,
    `//${path}`,
    `${parent}/${last}`,
    path.replaceAll('/', '//'),
    `\\${path.slice(1)}`,
    `${parent}\\${last}`,
    `/%2f${path.slice(1)}`,
    `/${encodeURIComponent(path.slice(1))}`,
    encodeURIComponent(path),
    `${parent}%2f${last}`,
    `${path}%2f`,
    `${path}%2F%2f`,
    `${path}%5c`,
    `${path}%c0%af`,
    `${path}\uff0f`,
    `${path}%ef%bc%8f`,
  ];
  const parameters = [
    `${path};x`,
    `${path};x=y`,
    `${path}/;x`,
    `/;x${path}`,
    `/${first};x${rest}`,
    `/x/..;${path}`,
    `/health/..;${path}`,
  ];
  const letters = [
    `${parent}${encodeAll(last)}`,
    `/${encodeAll(path.slice(1))}`,
    `${parent}${encodeAll(encodeAll(last))}`,
    `/${encodeByte(first)}${first.slice(1)}${rest}`,
    `${parent}${last.slice(0, -1)}%u00${last.charCodeAt(last.length - 1).toString(16)}`,
  ];
  const dots = [
    `/.${path}`,
    `/./${path}`,
    `/%2e${path}`,
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/x/%2E.${path}`,
    `/x/%252e%252e${path}`,
    `/..${path}`,
    `/../..${path}`,
    `/health/..${path}`,
    `/health/%2e%2e${path}`,
    `/docs/..${path}`,
    `/docs/..%2f${path.slice(1)}`,
    `/docs/%2e%2e%2f${path.slice(1)}`,
    `/redoc/..%5c${path.slice(1)}`,
    ...['.', 'x/..', 'x/%2e%2e', 'x/%252e%252e', 'x%2f..', 'x/..%2f', '%2e', ';', 'x;/..', '/', '%2561/..'].map(
      (text) => `/${first}/${text}${rest}`,
    ),
    `${path}/.`,
    `${path}/..`,
    `${path}/x/..`,
    `${path}/%2e`,
    `${path}/..%2f${last}`,
    `${path}.`,
    `${path}%2e`,
  ];
  const forms = [
    `http://${host}${path}`,
    `http://elsewhere.example${path}`,
    `https://${host}${path}`,
    `HTTP://${host}${path}`,
    `http://user:secret@${host}${path}`,
    `http://${host}/health/..${path}`,
    `http://${path}`,
    `http:${path}`,
    `//${host}${path}`,
    `file://${path}`,
    `${host}${path}`,
    path.slice(1),
    '*',
    `*${path}`,
  ];
  const ends = [
    '%00',
    '\0',
    '%00.json',
    '%20',
    '%09',
    '\t',
    '%0a',
    '%0d%0a',
    '%0d%0aX: y',
    '\u200b',
    '%ef%bb%bf',
    '%',
    '%zz',
  ];
  const suffixes = ['.json', '.html', '.css', '~', '*', '%2a', ',', '!', '%3f', '%23', '%26', '#x', '#/health'];
  const queries = [
    '?',
    '??',
    '?x=1',
    '?/health',
    '?/../health',
    '?_method=GET',
    '?_method=OPTIONS',
    '?method=OPTIONS',
    '?format=json',
    '?%00',
    '?%',
    '?admin=true',
    '?debug=1',
    '?__proto__[isPublic]=true',
    '?constructor.prototype.isPublic=1',
    '?$select=*',
    '?$expand=Tags',
    '?url=/health',
    ';?',
    '&x',
  ];
  return [
    ...new Set([
      ...spelled,
      ...slashes,
      ...parameters,
      ...letters,
      ...dots,
      ...forms,
      ...[...ends, ...suffixes, ...queries].map((end) => path + end),
    ]),
  ];
}

/** Percent-encodes every byte. */
function encodeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function encodeByte(text: string): string {
  return encodeAll(text.slice(0, 1));
}
