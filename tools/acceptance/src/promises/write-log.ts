/** The fields of a person that the trial checks. */
interface Person {
  readonly StaffKey: string;
  readonly StaffId: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly City: string;
  readonly Email: string;
  readonly Manager: string | null;
}

/**
 * Writes people whose fields all carry the same number, so that a partial write shows, and records the acknowledged
 * writes.
 */
export interface WriteLog {
  /** Creates a manager and two reports for each writer; the reports contain the name of their manager. */
  createTeams(writers: number): Promise<void>;
  /** Changes the writer's manager or adds a person; returns whether the write was acknowledged. */
  write(writer: number): Promise<boolean>;
  /** Reads the managers, their reports and the people added since the last check. */
  check(): Promise<void>;
  /** Reads the whole company, which this log alone writes. */
  checkAll(): Promise<void>;
  readonly results: {
    readonly acknowledged: number;
    readonly lost: readonly string[];
    readonly halved: readonly string[];
    /** Rejections by status and code; `none` without a response. */
    readonly rejections: ReadonlyMap<string, number>;
  };
}

interface Team {
  readonly managerKey: string;
  readonly reportKeys: readonly string[];
  /** The last acknowledged number and the last sent one: the stored number lies between. */
  acknowledged: number;
  sent: number;
  /** The number of acknowledged changes; each adds one version, starting at 1. */
  changes: number;
}

export type Call = (method: string, path: string, json?: unknown) => Promise<Reply>;

/** The response to a call; status 0 without one. */
export interface Reply {
  readonly status: number;
  readonly etag: string;
  // biome-ignore lint/suspicious/noExplicitAny: the trial checks its content.
  readonly body: any;
}

/** @param call sends a request to the current server and never throws */
export function createWriteLog(call: Call, companyKey: string): WriteLog {
  const teams: Team[] = [];
  const lost: string[] = [];
  const halved: string[] = [];
  const rejections = new Map<string, number>();
  /** The number of each acknowledged person, by StaffId. */
  const created = new Map<string, number>();
  let unread: { readonly StaffKey: string; readonly StaffId: string }[] = [];
  let acknowledged = 0;
  let next = 0;

  const isAcknowledged = ({ status, body }: Reply): boolean => {
    if (status === 200 || status === 201) {
      acknowledged++;
      return true;
    }
    const kind = status === 0 ? 'none' : `${status} ${body?.code}`;
    rejections.set(kind, (rejections.get(kind) ?? 0) + 1);
    return false;
  };
  const create = async (StaffId: string, number: number, more: object = {}): Promise<string | undefined> => {
    const reply = await call('POST', '/v2/staffmember', { StaffId, ...fieldsOf(number), ...more });
    if (!isAcknowledged(reply)) return undefined;
    created.set(StaffId, number);
    return reply.body.StaffKey;
  };

  async function change(team: Team): Promise<boolean> {
    const number = ++team.sent;
    const reply = await call('PUT', `/v2/staffmember/${team.managerKey}`, fieldsOf(number));
    if (!isAcknowledged(reply)) return false;
    team.acknowledged = number;
    team.changes++;
    return true;
  }

  async function checkTeam(team: Team): Promise<void> {
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
      if (found !== 200) lost.push(`the status of a report is ${found}`);
      else if (report.Manager !== `${manager.FirstName} ${manager.LastName}`)
        halved.push(`${number}: ${report.Manager}`);
    }
  }

  const read = (key: string) => call('GET', `/v2/staffmember/${key}`);

  return {
    results: {
      get acknowledged() {
        return acknowledged;
      },
      lost,
      halved,
      rejections,
    },
    async createTeams(writers) {
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
      created.clear();
    },
    async write(writer) {
      const number = next++;
      if (number % 2 === 0) return change(teams[writer] as Team);
      const StaffId = `new-${number}`;
      const StaffKey = await create(StaffId, number);
      if (StaffKey !== undefined) unread.push({ StaffKey, StaffId });
      return StaffKey !== undefined;
    },
    async check() {
      for (const team of teams) await checkTeam(team);
      for (const { StaffKey, StaffId } of unread) {
        const { status, body } = await read(StaffKey);
        if (status !== 200) lost.push(`${StaffId} is ${status}`);
        else if (numberOf(body) !== created.get(StaffId)) halved.push(JSON.stringify(body));
      }
      unread = [];
    },
    async checkAll() {
      const { status, body } = await call('GET', `/v2/staffmember?companyKey=${encodeURIComponent(companyKey)}`);
      if (status !== 200) throw new Error(`The status of the company is ${status}.`);
      const people = new Map((body as Person[]).map((person) => [person.StaffId, person]));
      for (const [StaffId, number] of created) {
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

/** Returns the number in all fields; NaN when they differ. */
function numberOf(person: Person): number {
  const number = Number(/^First(\d+)$/.exec(person.FirstName)?.[1]);
  const isWhole = Object.entries(fieldsOf(number)).every(([name, value]) => person[name as keyof Person] === value);
  return isWhole ? number : Number.NaN;
}
