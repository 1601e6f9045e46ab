/** An error as it is logged, without other members, which may hold rows, queries, addresses or bodies. */
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
 * Describes an error for the log by its class, code, message and stack. Omits the messages of errors known to repeat
 * their input; their code says what is wrong.
 */
export function describeCause(error: unknown, depth = 0): DescribedCause {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error };
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  return {
    type: error.constructor?.name || error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(repeatsValues(error) ? {} : { message: withoutValues(error.message, code) }),
    ...(error.stack === undefined ? {} : { stack: framesOf(error.stack) }),
    ...(cause === undefined || depth >= depthMax ? {} : { cause: describeCause(cause, depth + 1) }),
    ...(Array.isArray(errors) && depth < depthMax
      ? { errors: errors.slice(0, 10).map((each) => describeCause(each, depth + 1)) }
      : {}),
  };
}

/** PostgreSQL and parsers quote their input, and validators list it. */
function repeatsValues(error: Error): boolean {
  const { severity, code, issues } = error as Error & { severity?: unknown; code?: unknown; issues?: unknown };
  const isSqlState = severity !== undefined || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
  return isSqlState || error instanceof SyntaxError || error instanceof URIError || Array.isArray(issues);
}

/** Removes users and queries of URLs, the values that Node received, and the text that SQLite quotes. */
function withoutValues(message: string, code: unknown): string {
  const text = message
    .slice(0, messageLengthMax)
    .replace(/(\b[a-z][\w+.-]*:\/\/)[^\s/?#]*@/gi, '$1')
    .replace(/(\b[a-z][\w+.-]*:\/\/[^\s?#]*)[?#]\S*/gi, '$1');
  if (code === 'ERR_SQLITE_ERROR') return text.replace(/"[^"]*"|'[^']*'/g, '[…]');
  return typeof code === 'string' && code.startsWith('ERR_INVALID_') ? text.replace(/\.? Received [\s\S]*$/, '') : text;
}

/** Returns the stack without its first lines, which repeat the message. */
function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
