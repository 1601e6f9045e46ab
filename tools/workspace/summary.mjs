import { host } from './ports.mjs';

/**
 * Returns the text that ends a start: the addresses and one command to paste.
 * @param {{
 *   ports: import('./ports.mjs').Ports, demoFile: string, isColoured: boolean,
 *   credentials: Pick<import('./demo-credentials.mjs').DemoCredentials, 'SCHEDULING_ADMIN_EMAIL' | 'COMPANY_KEY'>,
 * }} options
 */
export function createSummary({ ports, demoFile, credentials, isColoured }) {
  const paint = (/** @type {number} */ code) => (/** @type {string} */ text) =>
    isColoured ? `\x1b[${code}m${text}\x1b[0m` : text;
  const [bold, dim, cyan] = [paint(1), paint(2), paint(36)];
  const at = (/** @type {import('./ports.mjs').ServerName} */ name) => `http://${host}:${ports[name]}`;
  const server = (/** @type {import('./ports.mjs').ServerName} */ name) =>
    `  ${bold(name.padEnd(13))}${cyan(at(name).padEnd(24))}${dim('docs')} ${cyan(`${at(name)}/docs`)}`;
  return [
    '',
    `  ${bold('Rostergate is running.')} ${dim('Press Ctrl-C to stop.')}`,
    '',
    server('gateway'),
    server('staff-proxy'),
    server('scheduling'),
    '',
    `  ${dim('The demo company in a browser:')} ${cyan(`${at('scheduling')}/#companyKey=${credentials.COMPANY_KEY}`)}`,
    `  ${dim('Sign in as')} ${credentials.SCHEDULING_ADMIN_EMAIL} ${dim(`with SCHEDULING_ADMIN_PASSWORD from ${demoFile}.`)}`,
    '',
    `  ${dim('Paste this into another shell; the request passes all three servers:')}`,
    '',
    `. ${quote(demoFile)} && curl -sS -H "X-API-Key: $GATEWAY_KEY" '${at('gateway')}/api/staff?$top=2&$select=FirstName,LastName'`,
    '',
    `  ${dim('Failed requests and events of the servers follow; successful requests are not shown.')}`,
    '',
    '',
  ].join('\n');
}

/** @param {string} path */
function quote(path) {
  return /^[\w./@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
