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

/** A client that follows delta links: it stores only its copy and the link to the next page or round. */
export interface DeltaFollower extends ChangePoller {
  /** Number of times that a person came twice in one round. */
  readonly repeated: number;
}

/** Follows a list with these options, each page from the next server. Removed people are removed from the copy. */
export function createDeltaFollower(
  { urls, companyKey, headers, pageSize = 20 }: PollerOptions,
  query: string,
): DeltaFollower {
  const copy = new Map<string, string>();
  const asked = {
    Accept: 'application/json;odata.metadata=minimal',
    Prefer: `odata.track-changes, odata.maxpagesize=${pageSize}`,
  };
  let link = `staffmember?companyKey=${companyKey}&${query}`;
  let inRound = new Set<string>();
  let [polls, requests, repeated] = [0, 0, 0];

  /** Returns whether the page is the last one of its round. */
  async function readPage(): Promise<boolean> {
    const url = urls[requests++ % urls.length] as string;
    const response = await fetch(`${url}/v2/${link}`, { headers: { ...headers, ...asked } });
    if (response.status !== 200)
      throw new Error(`The status of a delta is ${response.status}: ${await response.text()}`);
    const { value, ...links } = (await response.json()) as DeltaPage;
    for (const person of value) {
      if (inRound.has(person.StaffKey)) repeated++;
      inRound.add(person.StaffKey);
      if (person['@removed']) copy.delete(person.StaffKey);
      else copy.set(person.StaffKey, JSON.stringify(person));
    }
    link = (links['@odata.nextLink'] ?? links['@odata.deltaLink']) as string;
    return links['@odata.nextLink'] === undefined;
  }

  return {
    copy,
    get polls() {
      return polls;
    },
    get repeated() {
      return repeated;
    },
    async poll() {
      inRound = new Set();
      while (!(await readPage()));
      polls++;
    },
  };
}

interface DeltaPage {
  readonly value: readonly { readonly StaffKey: string; readonly '@removed'?: object }[];
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
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
