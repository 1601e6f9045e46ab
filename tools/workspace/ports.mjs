import { createServer } from 'node:net';
import { StartFault } from './workspace.mjs';

export const host = '127.0.0.1';

/** The variables of `npm start` and their defaults. */
const portVariables = /** @type {const} */ ({
  gateway: { variable: 'GATEWAY_PORT', port: 8000 },
  'staff-proxy': { variable: 'STAFF_PROXY_PORT', port: 8010 },
  scheduling: { variable: 'SCHEDULING_PORT', port: 8020 },
});

/**
 * @typedef {keyof typeof portVariables} ServerName
 * @typedef {Readonly<Record<ServerName, number>>} Ports
 */

/** Parses the three ports. @param {NodeJS.ProcessEnv} env @returns {Ports} */
export function parsePorts(env) {
  /** @type {Map<number, string>} */
  const variableOf = new Map();
  const entries = Object.entries(portVariables).map(([name, { variable, port: fallback }]) => {
    const text = env[variable] || String(fallback);
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (port < 1 || port > 65_535) {
      throw new StartFault(`${variable} is "${text}"; set it to a port from 1 to 65535.`);
    }
    const other = variableOf.get(port);
    if (other) throw new StartFault(`${other} and ${variable} are both ${port}; give each server its own port.`);
    variableOf.set(port, variable);
    return [name, port];
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** Throws when a port is unavailable, with one line per port that names its variable. @param {Ports} ports */
export async function checkPortsFree(ports) {
  const faults = [];
  for (const [name, { variable }] of Object.entries(portVariables)) {
    const port = ports[/** @type {ServerName} */ (name)];
    const code = await tryListening(port);
    if (code === 'EADDRINUSE') {
      faults.push(`Port ${port} is taken: end what listens there, or set ${variable} to another port for ${name}.`);
    } else if (code) {
      faults.push(`Port ${port} cannot be used (${code}): set ${variable} to another one for ${name}.`);
    }
  }
  if (faults.length > 0) throw new StartFault(faults.join('\n'));
}

/** @param {number} port @returns {Promise<string | undefined>} the code of the error, undefined when the port is free */
function tryListening(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
