/**
 * Returns a line of a server's log as `npm start` shows it: successful requests are hidden, and on a terminal JSON becomes
 * text for people. Lines that are not JSON are returned as they are.
 * @param {string} line @param {{ isTerminal: boolean }} options
 * @returns {string | undefined} undefined for a hidden line
 */
export function formatLogLine(line, { isTerminal }) {
  const entry = parseEntry(line);
  if (entry === undefined) return line;
  const { level, time, service, msg = '', method, route, status, code, duration_ms, ...details } = entry;
  const isRequest = typeof status === 'number' && typeof duration_ms === 'number';
  if (isRequest && status < 400) return undefined;
  if (!isTerminal) return line;
  const clock = String(time).slice(11, 19);
  if (isRequest) {
    const { err } = details;
    return [clock, status, method, route, code, err && toText(err)].filter(Boolean).join(' ');
  }
  const shown = Object.entries(details).map(([name, value]) => `${name}=${toText(value)}`);
  return [clock, level === 'info' ? '' : level, msg, ...shown].filter((part) => part !== '').join(' ');
}

/** @param {string} line @returns {Record<string, unknown> | undefined} */
function parseEntry(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    return typeof entry.time === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function toText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
