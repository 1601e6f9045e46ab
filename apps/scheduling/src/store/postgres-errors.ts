import { Problem } from '@rostergate/server/problem';

/** Seconds until the client should retry. */
const retryAfter = { 'Retry-After': '1' };

/**
 * Returns the Problem for an error of PostgreSQL or of the connection: 503 for a temporary fault, 400 for a fault of
 * the request. Any other error is a defect of this program and is returned unchanged.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = codeOf(error);
  if (code === '57014') {
    const detail = 'The query takes too long. Filter by a name or key, or request fewer people at a time.';
    return new Problem('query_too_costly', detail, { cause: error });
  }
  if (code.startsWith('54')) {
    return new Problem('query_too_costly', 'The query is too complex for the database. Simplify it.', { cause: error });
  }
  if (code.startsWith('22')) {
    const detail = 'A number or text of the request, or a result of it, is beyond the limits of the database.';
    return new Problem('validation_failed', detail, { cause: error });
  }
  return isPassing(error, code) || isOutdatedPlan(error) ? createUnavailable(error) : error;
}

/** Returns 503: the database cannot be reached or is overloaded. */
export function createUnavailable(cause?: unknown): Problem {
  const detail = 'The database does not respond now. Send the request again in a moment.';
  return new Problem('unavailable', detail, { headers: retryAfter, cause });
}

/** Returns whether the transaction may succeed when it runs again at once. */
export function isWorthRepeating(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error;
  return isOutdatedPlan(cause) || ['40001', '40P01'].includes(codeOf(cause));
}

/**
 * Returns whether a statement was prepared before the tables changed, for instance by a newer version of this program.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan');
}

/** Returns whether the connection was lost; a statement on it may or may not have run. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['57P01', 'ECONNRESET', 'EPIPE'].includes(codeOf(error)) || lostTexts.test(error.message);
}

const lostTexts = /^(Connection terminated|Client (was closed|has encountered))/;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** Lost connections, conflicts between transactions, too few resources, lock timeouts, shutdown. */
const passingStates = /^(08|40|53|55P03|57P|25006|25P03)/;
const networkCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** Errors that the driver gives no code. */
const driverTexts =
  /^(Query read timeout|Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered))/;

function isPassing(error: Error, code: string): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => isPassing(each, String(each.code)));
  if (passingStates.test(code) || networkCodes.test(code)) return true;
  return code === '' && driverTexts.test(error.message);
}
