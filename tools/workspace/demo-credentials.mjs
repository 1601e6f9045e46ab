import { createHash, randomBytes, randomUUID, scryptSync } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFault } from './workspace.mjs';

/**
 * @typedef {Readonly<{
 *   GATEWAY_KEY: string, STAFF_PROXY_ADMIN_KEY: string, STAFF_PROXY_KEY: string,
 *   SCHEDULING_ADMIN_EMAIL: string, SCHEDULING_ADMIN_PASSWORD: string,
 *   SCHEDULING_EMAIL: string, SCHEDULING_PASSWORD: string, COMPANY_KEY: string,
 * }>} DemoCredentials
 * @typedef {Readonly<Record<string, string>>} ServerEnv
 */

/** Returns new credentials; everything except the two e-mail addresses is random. @returns {DemoCredentials} */
export function createDemoCredentials() {
  return Object.freeze({
    GATEWAY_KEY: createKey('gateway'),
    STAFF_PROXY_ADMIN_KEY: createKey('staff'),
    STAFF_PROXY_KEY: createKey('staff'),
    SCHEDULING_ADMIN_EMAIL: 'admin@demo.example',
    SCHEDULING_ADMIN_PASSWORD: randomText(24),
    SCHEDULING_EMAIL: 'reader@demo.example',
    SCHEDULING_PASSWORD: randomText(24),
    COMPANY_KEY: randomUUID(),
  });
}

/**
 * Reads or creates `demo.env` in a folder, and writes the files of each server next to it.
 * @param {string} directory created when missing; only its owner can read the files
 * @returns {Promise<{ credentials: DemoCredentials, env: ServerEnv }>} `env`: the environment of the three servers, for
 *   another folder than the workspace's own `.local`
 */
export async function loadDemoCredentials(directory) {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const demoFile = join(directory, 'demo.env');
  const text = await readFile(demoFile, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const credentials = text === undefined ? createDemoCredentials() : parseDemoEnv(text, demoFile);
  if (text === undefined) await writeSecret(demoFile, toShell(credentials));
  else await chmod(demoFile, 0o600);
  const accountsFile = join(directory, 'accounts.json');
  const keysFile = join(directory, 'proxy-keys.json');
  const envs = {
    gateway: {
      ROSTERGATE_API_KEYS: `sha256:${sha256(credentials.GATEWAY_KEY)}`,
      // The key with which the gateway forwards to the staff proxy.
      STAFF_PROXY_KEY: credentials.STAFF_PROXY_KEY,
    },
    'staff-proxy': { ROSTERGATE_PROXY_KEYS_FILE: keysFile },
    scheduling: {
      ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: accountsFile,
      ROSTERGATE_SCHEDULING_DATABASE_FILE: join(directory, 'scheduling.sqlite'),
      ROSTERGATE_SCHEDULING_SEED: 'demo',
    },
  };
  await writeSecret(accountsFile, toJson(createAccounts(credentials)));
  await writeSecret(keysFile, toJson(createProxyKeys(credentials)));
  for (const [server, env] of Object.entries(envs)) await writeSecret(join(directory, `${server}.env`), toShell(env));
  return { credentials, env: Object.freeze(Object.assign({}, ...Object.values(envs))) };
}

/** Returns the service accounts of the scheduling API. @param {DemoCredentials} credentials */
function createAccounts(credentials) {
  const company_key = credentials.COMPANY_KEY;
  return [
    {
      email: credentials.SCHEDULING_ADMIN_EMAIL,
      password: hashPassword(credentials.SCHEDULING_ADMIN_PASSWORD),
      company_key,
      admin: true,
    },
    {
      email: credentials.SCHEDULING_EMAIL,
      password: hashPassword(credentials.SCHEDULING_PASSWORD),
      company_key,
      admin: false,
    },
  ];
}

/** Returns the proxy's accounts at the scheduling API, and a key for each. @param {DemoCredentials} credentials */
function createProxyKeys(credentials) {
  const company_key = credentials.COMPANY_KEY;
  return {
    accounts: {
      admin: {
        email: credentials.SCHEDULING_ADMIN_EMAIL,
        password: credentials.SCHEDULING_ADMIN_PASSWORD,
        company_key,
        admin: true,
      },
      reader: {
        email: credentials.SCHEDULING_EMAIL,
        password: credentials.SCHEDULING_PASSWORD,
        company_key,
        admin: false,
      },
    },
    keys: [
      { name: 'admin', owner: 'demo-admin', sha256: sha256(credentials.STAFF_PROXY_ADMIN_KEY), account: 'admin' },
      { name: 'reader', owner: 'demo-reader', sha256: sha256(credentials.STAFF_PROXY_KEY), account: 'reader' },
    ],
  };
}

/** Returns `scrypt:<N>:<r>:<p>:<salt>:<hash>`, salt and hash in base64url. @param {string} password */
function hashPassword(password) {
  const [N, r, p] = [16_384, 8, 1];
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** @param {string} text @param {string} file @returns {DemoCredentials} */
function parseDemoEnv(text, file) {
  const found = Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const match = /^\s*(?:export\s+)?([A-Z_]+)=(["']?)(.*?)\2\s*$/.exec(line);
      return match ? [[match[1], match[3]]] : [];
    }),
  );
  const missing = Object.keys(createDemoCredentials()).filter((name) => !found[name]);
  if (missing.length > 0) {
    throw new StartFault(`${file} lacks ${missing.join(', ')}: add it, or delete the file to get new credentials.`);
  }
  return Object.freeze(/** @type {any} */ (found));
}

/** Returns `<prefix>_live_<random base62>_<crc32>`, the form of the servers' keys. @param {string} prefix */
function createKey(prefix) {
  const stem = `${prefix}_live_${randomText(32)}`;
  return `${stem}_${crc32(stem).toString(16).padStart(8, '0')}`;
}

/** Returns random base62, which needs no quoting in shells and headers. @param {number} length */
function randomText(length) {
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  while (text.length < length) {
    // 248 is the last multiple of 62 in a byte: values beyond it would favour the first letters.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  }
  return text;
}

/** Computes CRC-32; zlib.crc32 is missing in the first releases of Node 20. @param {string} text */
function crc32(text) {
  let crc = ~0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** @param {string} text */
function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns assignments for a shell and for Node, quoted for paths with spaces. @param {Readonly<Record<string, string>>} env */
function toShell(env) {
  return Object.entries(env)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}

/** @param {unknown} value */
function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes a file atomically; it is never readable for others. @param {string} file @param {string} text */
async function writeSecret(file, text) {
  const fresh = `${file}.${process.pid}.tmp`;
  await writeFile(fresh, text, { mode: 0o600 });
  await rename(fresh, file);
}
