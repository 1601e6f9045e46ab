/** A person as the scheduling API answers it, as far as the trial looks. */
export interface Person {
  readonly StaffKey: string;
  readonly StaffId: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly City: string;
  readonly Email: string;
  readonly Manager: string | null;
}

/** Writes people of whom every field says the same number, so that half of one shows; knows what was acknowledged. */
export interface Witness {
  /** One manager and two reports for each writer, who carry the manager's name along. */
  found(writers: number): Promise<void>;
  /** One change of the writer's manager, or somebody new; false when it was not acknowledged. */
  write(writer: number): Promise<boolean>;
  /** Reads the managers, their reports and whoever is new since the last look. */
  look(): Promise<void>;
  /** Reads the whole company, all of whom are its own. */
  lookAtAll(): Promise<void>;
  readonly told: {
    readonly acknowledged: number;
    readonly lost: readonly string[];
    readonly halved: readonly string[];
    /** What was answered where nothing was acknowledged, by status and code; without an answer it is `none`. */
    readonly refusals: ReadonlyMap<string, number>;
  };
}

interface Team {
  readonly managerKey: string;
  readonly reportKeys: readonly string[];
  /** The number that was acknowledged last, and the one that was sent last: what is kept lies between. */
  acknowledged: number;
  sent: number;
  /** How many changes were acknowledged: each is one version more, the first one being 1. */
  changes: number;
}

export type Call = (method: string, path: string, json?: unknown) => Promise<Answer>;

/** Status 0 where there was none. */
export interface Answer {
  readonly status: number;
  readonly etag: string;
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what is looked at.
  readonly body: any;
}

/** @param call asks the server that runs now, and never throws */
export function createWitness(call: Call, companyKey: string): Witness {
  const teams: Team[] = [];
  const lost: string[] = [];
  const halved: string[] = [];
  const refusals = new Map<string, number>();
  /** By StaffId, the number of everybody who was acknowledged. */
  const made = new Map<string, number>();
  let unread: { readonly StaffKey: string; readonly StaffId: string }[] = [];
  let acknowledged = 0;
  let next = 0;

  const isAcknowledged = ({ status, body }: Answer): boolean => {
    if (status === 200 || status === 201) {
      acknowledged++;
      return true;
    }
    const kind = status === 0 ? 'none' : `${status} ${body?.code}`;
    refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
    return false;
  };
  const create = async (StaffId: string, number: number, more: object = {}): Promise<string | undefined> => {
    const answer = await call('POST', '/v2/staffmember', { StaffId, ...fieldsOf(number), ...more });
    if (!isAcknowledged(answer)) return undefined;
    made.set(StaffId, number);
    return answer.body.StaffKey;
  };

  async function change(team: Team): Promise<boolean> {
    const number = ++team.sent;
    const answer = await call('PUT', `/v2/staffmember/${team.managerKey}`, fieldsOf(number));
    if (!isAcknowledged(answer)) return false;
    team.acknowledged = number;
    team.changes++;
    return true;
  }

  async function lookAt(team: Team): Promise<void> {
    const { status, body: manager, etag } = await read(team.managerKey);
    const number = status === 200 ? numberOf(manager) : Number.NaN;
    if (status !== 200 || number < team.acknowledged) {
      lost.push(`${team.acknowledged} of a manager is ${status === 200 ? number : status}`);
      return;
    }
    if (Number.isNaN(number) || number > team.sent) halved.push(`manager ${JSON.stringify(manager)}`);
    const changes = Number(/^"(\d+)-/.exec(etag)?.[1]) - 1;
    if (!(changes >= team.changes && changes <= team.sent))
      halved.push(`version ${etag} after ${team.changes} changes`);
    for (const key of team.reportKeys) {
      const { status: found, body: report } = await read(key);
      if (found !== 200) lost.push(`a report is ${found}`);
      else if (report.Manager !== `${manager.FirstName} ${manager.LastName}`)
        halved.push(`${number}: ${report.Manager}`);
    }
  }

  const read = (key: string) => call('GET', `/v2/staffmember/${key}`);

  return {
    told: {
      get acknowledged() {
        return acknowledged;
      },
      lost,
      halved,
      refusals,
    },
    async found(writers) {
      for (let i = 0; i < writers; i++) {
        const managerKey = await create(`manager-${i}`, 0);
        const reportKeys: string[] = [];
        for (const report of ['a', 'b']) {
          reportKeys.push((await create(`report-${i}-${report}`, 0, { ManagerId: `manager-${i}` })) as string);
        }
        if (managerKey === undefined || reportKeys.includes(undefined as never))
          throw new Error('The first writes fail.');
        teams.push({ managerKey, reportKeys, acknowledged: 0, sent: 0, changes: 0 });
      }
      made.clear();
    },
    async write(writer) {
      const number = next++;
      if (number % 2 === 0) return change(teams[writer] as Team);
      const StaffId = `new-${number}`;
      const StaffKey = await create(StaffId, number);
      if (StaffKey !== undefined) unread.push({ StaffKey, StaffId });
      return StaffKey !== undefined;
    },
    async look() {
      for (const team of teams) await lookAt(team);
      for (const { StaffKey, StaffId } of unread) {
        const { status, body } = await read(StaffKey);
        if (status !== 200) lost.push(`${StaffId} is ${status}`);
        else if (numberOf(body) !== made.get(StaffId)) halved.push(JSON.stringify(body));
      }
      unread = [];
    },
    async lookAtAll() {
      const { status, body } = await call('GET', `/v2/staffmember?companyKey=${encodeURIComponent(companyKey)}`);
      if (status !== 200) throw new Error(`The company cannot be read: ${status}.`);
      const people = new Map((body as Person[]).map((person) => [person.StaffId, person]));
      for (const [StaffId, number] of made) {
        const person = people.get(StaffId);
        if (person === undefined) lost.push(`${StaffId} is not in the list`);
        else if (numberOf(person) !== number) halved.push(`listed: ${JSON.stringify(person)}`);
      }
      for (const person of people.values()) {
        if (Number.isNaN(numberOf(person))) halved.push(`listed: ${JSON.stringify(person)}`);
      }
    },
  };
}

function fieldsOf(number: number) {
  return {
    FirstName: `First${number}`,
    LastName: `Last${number}`,
    City: `City ${number}`,
    Email: `person${number}@write.example`,
  };
}

/** The number that all fields agree on; NaN when they do not. */
function numberOf(person: Person): number {
  const number = Number(/^First(\d+)$/.exec(person.FirstName)?.[1]);
  const isWhole = Object.entries(fieldsOf(number)).every(([name, value]) => person[name as keyof Person] === value);
  return isWhole ? number : Number.NaN;
}
