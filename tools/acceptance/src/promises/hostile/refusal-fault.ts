import type { RawExchange } from './exchange-raw.ts';

/** What is wrong with the responses as a rejection; undefined when each is a 4xx or `allowed`, in problem+json. */
export function refusalFault({ text, statuses, fault }: RawExchange, allowed?: number): string | undefined {
  const [status] = statuses;
  if (status === undefined) return fault ?? 'closed without an answer';
  if (statuses.some((one) => (one < 400 || one > 499) && one !== allowed))
    return `answered ${statuses.join(' and then ')}`;
  return problemFault(text, status);
}

/** The same where the request may be taken as well: it must be no failure of the server, and a problem if refused. */
export function answerFault({ text, statuses, fault }: RawExchange): string | undefined {
  const [status] = statuses;
  if (status === undefined) return fault ?? 'closed without an answer';
  if (status >= 500) return `answered ${status}`;
  return status < 400 ? undefined : problemFault(text, status);
}

function problemFault(text: string, status: number): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  if (!/^content-type: application\/problem\+json\r?$/im.test(head)) return `${status} is no application/problem+json`;
  try {
    const problem = JSON.parse(text.slice(end + 4)) as { readonly status?: unknown; readonly code?: unknown };
    return problem.status === status && typeof problem.code === 'string' ? undefined : `${status} with a false problem`;
  } catch {
    return `${status} with a body that is no JSON`;
  }
}
