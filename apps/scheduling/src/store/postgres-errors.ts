import { Problem } from '@rostergate/runtime/problem';

/** Seconds after which it is worth asking again. */
const retryAfter = { 'Retry-After': '1' };

/**
 * What PostgreSQL or the connection to it has against a statement, as callers are told it: 503 for what passes by
 * itself, 400 for what they asked. Anything else is a fault of this program and stays what it is.
 * The codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = codeOf(error);
  if (code === '57014') {
    const detail =
      'The query takes the database too long. Narrow it: filter by a name or key, or ask for less at a time.';
    return new Problem('query_too_costly', detail, { cause: error });
  }
  if (code.startsWith('54')) {
    return new Problem('query_too_costly', 'The query is too complex for the database. Simplify it.', { cause: error });
  }
  if (code.startsWith('22')) {
    const detail = 'A number or text of the request, or a result of it, is beyond what the database can hold.';
    return new Problem('validation_failed', detail, { cause: error });
  }
  return isPassing(error, code) || isOutdatedPlan(error) ? createUnavailable(error) : error;
}

/** 503: the database is away, or too busy. */
export function createUnavailable(cause?: unknown): Problem {
  const detail = 'The database does not answer now. Send the request again in a moment.';
  return new Problem('unavailable', detail, { headers: retryAfter, cause });
}

/** Whether the same transaction may well succeed when it is run again at once. */
export function isWorthRepeating(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error;
  return isOutdatedPlan(cause) || ['40001', '40P01'].includes(codeOf(cause));
}

/** A statement was prepared before somebody changed the tables, such as a newer version of this program. */
export function isOutdatedPlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan');
}

/** The connection was ended by the other side, or is gone; what was asked over it may have been done or not. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['57P01', 'ECONNRESET', 'EPIPE'].includes(codeOf(error)) || lostTexts.test(error.message);
}

const lostTexts = /^(Connection terminated|Client (was closed|has encountered))/;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** Lost connections, conflicts between transactions, too few resources, waiting for a lock, shutdown. */
const passingStates = /^(08|40|53|55P03|57P|25006|25P03)/;
const networkCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** The driver gives these no code. */
const driverTexts =
  /^(Query read timeout|Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered))/;

function isPassing(error: Error, code: string): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => isPassing(each, String(each.code)));
  if (passingStates.test(code) || networkCodes.test(code)) return true;
  return code === '' && driverTexts.test(error.message);
}
