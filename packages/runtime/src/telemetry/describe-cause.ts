/** What the log says of an error: never its other members, which may hold rows, queries, addresses or bodies. */
export interface DescribedCause {
  readonly type: string;
  readonly code?: string | number;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: DescribedCause;
  readonly errors?: readonly DescribedCause[];
}

const depthMax = 4;
const messageLengthMax = 500;

/**
 * Describes an error for the log by its class, code, message and place. The messages of those known to repeat values
 * they were given are left out: what they say is in the code.
 */
export function describeCause(error: unknown, depth = 0): DescribedCause {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error };
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  return {
    type: error.constructor?.name || error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(repeatsValues(error) ? {} : { message: withoutValues(error.message, code) }),
    ...(error.stack === undefined ? {} : { stack: placesIn(error.stack) }),
    ...(cause === undefined || depth >= depthMax ? {} : { cause: describeCause(cause, depth + 1) }),
    ...(Array.isArray(errors) && depth < depthMax
      ? { errors: errors.slice(0, 10).map((each) => describeCause(each, depth + 1)) }
      : {}),
  };
}

/** PostgreSQL and parsers quote what they were given; validators list it. */
function repeatsValues(error: Error): boolean {
  const { severity, code, issues } = error as Error & { severity?: unknown; code?: unknown; issues?: unknown };
  const isSqlState = severity !== undefined || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
  return isSqlState || error instanceof SyntaxError || error instanceof URIError || Array.isArray(issues);
}

/** Without users and queries of addresses, what Node was given in place of something else, and what SQLite quotes. */
function withoutValues(message: string, code: unknown): string {
  const text = message
    .slice(0, messageLengthMax)
    .replace(/(\b[a-z][\w+.-]*:\/\/)[^\s/?#]*@/gi, '$1')
    .replace(/(\b[a-z][\w+.-]*:\/\/[^\s?#]*)[?#]\S*/gi, '$1');
  if (code === 'ERR_SQLITE_ERROR') return text.replace(/"[^"]*"|'[^']*'/g, '[…]');
  return typeof code === 'string' && code.startsWith('ERR_INVALID_') ? text.replace(/\.? Received [\s\S]*$/, '') : text;
}

/** The lines of a stack that name places; those before them repeat the message. */
function placesIn(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
