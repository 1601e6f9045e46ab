/** A client that maintains a copy of a company by incremental sync. */
export interface ChangePoller {
  /** The copied people as JSON, by key. */
  readonly copy: ReadonlyMap<string, string>;
  readonly polls: number;
  /** Reads the changes once, in pages if `pageSize` is set, each page from the next server. */
  poll(): Promise<void>;
}

export interface PollerOptions {
  readonly urls: readonly string[];
  readonly companyKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** People per page; by default the whole list at once. */
  readonly pageSize?: number;
}

interface Person {
  readonly StaffKey: string;
  readonly LastModifiedDateUtc: string;
}

/** Starts with a date in the past, then sends the newest received `LastModifiedDateUtc`. */
export function createChangePoller({ urls, companyKey, headers, pageSize }: PollerOptions): ChangePoller {
  const copy = new Map<string, string>();
  let newest = '2000-01-01T00:00:00Z';
  let polls = 0;
  let requests = 0;

  async function read(path: string, more: Readonly<Record<string, string>>) {
    const url = urls[requests++ % urls.length] as string;
    const response = await fetch(`${url}/v2/${path}`, { headers: { ...headers, ...more } });
    if (response.status !== 200)
      throw new Error(`The status of a poll is ${response.status}: ${await response.text()}`);
    return response.json();
  }

  function take(people: readonly Person[]): void {
    for (const person of people) copy.set(person.StaffKey, JSON.stringify(person));
  }

  return {
    copy,
    get polls() {
      return polls;
    },
    async poll() {
      const received: Person[] = [];
      const path = `staffmember?companyKey=${companyKey}&sinceModifiedTimestamp=${newest}`;
      if (pageSize === undefined) received.push(...((await read(path, {})) as Person[]));
      else {
        const asked = { Accept: 'application/json;odata.metadata=minimal', Prefer: `odata.maxpagesize=${pageSize}` };
        for (let next: string | undefined = path; next !== undefined; ) {
          const page = (await read(next, asked)) as { value: Person[]; '@odata.nextLink'?: string };
          received.push(...page.value);
          next = page['@odata.nextLink'];
        }
      }
      take(received);
      for (const { LastModifiedDateUtc } of received) {
        if (Date.parse(LastModifiedDateUtc) > Date.parse(newest)) newest = LastModifiedDateUtc;
      }
      polls++;
    },
  };
}
