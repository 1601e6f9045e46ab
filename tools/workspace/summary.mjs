import { host } from './ports.mjs';

/**
 * What a person needs to know once the servers run.
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
    `  ${bold('Rostergate runs.')} ${dim('Ctrl-C ends it.')}`,
    '',
    server('gateway'),
    server('staff-proxy'),
    server('scheduling'),
    '',
    `  ${dim('A roster to look at, as')} ${credentials.SCHEDULING_ADMIN_EMAIL} ${dim(`with SCHEDULING_ADMIN_PASSWORD of ${demoFile}:`)}`,
    `  ${cyan(`${at('scheduling')}/#companyKey=${credentials.COMPANY_KEY}`)}`,
    '',
    `  ${dim('In another shell:')}`,
    '',
    `. ${quote(demoFile)}`,
    `curl -sS -H "X-API-Key: $GATEWAY_KEY" '${at('gateway')}/api/crypto?symbol=ETH'`,
    `curl -sSG -H "X-API-Key: $STAFF_PROXY_ADMIN_KEY" ${at('staff-proxy')}/v2/staffmember -d "companyKey=$COMPANY_KEY" -d '$top=1' -d '$expand=Tags'`,
    `curl -sS ${at('scheduling')}/v2/login -d "email=$SCHEDULING_EMAIL" -d "password=$SCHEDULING_PASSWORD"`,
    '',
    '',
  ].join('\n');
}

/** @param {string} path */
function quote(path) {
  return /^[\w./@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
