import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEndings } from '../at-end.ts';
import { runSql } from '../database.ts';
import { type FleetCallers, startFleetCallers, type Tally } from './fleet-callers.ts';
import { type Fleet, type Member, startFleet } from './start-fleet.ts';

const endings = createEndings();
let fleet: Fleet;
beforeAll(async () => {
  const limits = { rate_limit_per_minute: 1_000_000, rate_limit_per_minute_authenticated: 1_000_000 };
  fleet = await startFleet({ gatewaySettings: limits, proxySettings: limits }, endings.atEnd);
});
afterAll(() => endings.end());

const kinds = ['gateways', 'proxies', 'schedulings'] as const;
const startCallers = (): FleetCallers => startFleetCallers(fleet.gateways.map(({ url }) => url));
const outcomesOf = ({ outcomes }: Tally) => Object.fromEntries([...outcomes].sort());
const sound = ['GET 200', 'POST 201'];
/** The allowed outcomes while a server is down; `ECONNRESET` only from a killed gateway. */
const bounded = /^(GET (200|502|503|504)|POST (201|502|503|504)|\w+ (ECONNRESET|not connected))$/;

/** Throws if an acknowledged person is missing, or if a person exists twice. */
async function checkPeople({ created, uncertain }: Tally): Promise<void> {
  const query = new URLSearchParams({ $filter: "startswith(StaffId,'fleet-')", $select: 'StaffId' });
  const response = await fetch(`${fleet.gateways[0]?.url}/api/staff?${query}`);
  const people = (await response.json()) as { StaffId: string }[];
  const counts = new Map<string, number>();
  for (const { StaffId } of people) counts.set(StaffId, (counts.get(StaffId) ?? 0) + 1);
  expect([...created].filter((id) => counts.get(id) !== 1)).toEqual([]);
  expect([...uncertain].filter((id) => (counts.get(id) ?? 0) > 1)).toEqual([]);
}

/** Throws unless all requests succeed again after two seconds. */
async function checkRecovered(): Promise<void> {
  await delay(2_000);
  const callers = startCallers();
  await delay(1_000);
  await callers.stop();
  expect(Object.keys(outcomesOf(callers.tally))).toEqual(sound);
}

/** Loads the fleet during a fault and checks the outcomes during and after it. */
async function under(fault: () => Promise<void>): Promise<Tally> {
  const callers = startCallers();
  await delay(500);
  await fault();
  await delay(500);
  await callers.stop();
  const outcomes = Object.keys(outcomesOf(callers.tally));
  expect(outcomes.filter((name) => !bounded.test(name))).toEqual([]);
  await checkRecovered();
  await checkPeople(callers.tally);
  return callers.tally;
}

/** A write whose body was sent to one proxy is not sent to another: its client gets an error. */
const rejectedWrites = /^POST 50[23]$/;

test.for(kinds)('a graceful restart of %s under load fails no request', async (kind) => {
  const tally = await under(async () => {
    for (const member of fleet[kind]) {
      await member.restart('SIGTERM');
      // Waits until this member is used again: a circuit stays open for a second.
      await delay(1_500);
    }
  });
  const outcomes = Object.keys(outcomesOf(tally));
  expect(kind === 'schedulings' ? outcomes.filter((name) => !rejectedWrites.test(name)) : outcomes).toEqual(sound);
});

test.for(kinds)('kill -9 of one of %s under load neither loses nor duplicates acknowledged writes', async (kind) => {
  await under(() => (fleet[kind][0] as Member).restart('SIGKILL'));
});

test.for(kinds)('freezing one of %s for three seconds neither loses nor duplicates writes', async (kind) => {
  const { child } = (fleet[kind][1] as Member).process();
  const { slowestMs } = await under(async () => {
    child.kill('SIGSTOP');
    await delay(3_000);
    child.kill('SIGCONT');
  });
  expect(slowestMs).toBeLessThan(20_000);
});

describe('the database', () => {
  test('serves reads and rejects writes with 503 while it is read-only', async () => {
    const setReadOnly = async (value: 'on' | 'off') => {
      await runSql(fleet.postgres.url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await runSql(fleet.postgres.url, 'SELECT pg_reload_conf()');
    };
    const tally = await under(async () => {
      await setReadOnly('on');
      await delay(1_500);
      await setReadOnly('off');
    });
    expect(Object.keys(outcomesOf(tally))).toEqual(['GET 200', 'POST 201', 'POST 503']);
  });

  test('without free connections serves existing ones and recovers', async () => {
    const taken: pg.Client[] = [];
    await under(async () => {
      for (let isLeft = true; isLeft; ) {
        const client = new pg.Client({ connectionString: fleet.postgres.url });
        client.on('error', () => {});
        isLeft = await client.connect().then(
          () => true,
          () => false,
        );
        if (isLeft) taken.push(client);
      }
      await (fleet.schedulings[0] as Member).restart('SIGKILL').catch(() => {});
      await Promise.all(taken.map((client) => client.end()));
      await (fleet.schedulings[0] as Member).restart('SIGTERM');
    });
    expect(taken.length).toBeGreaterThan(100);
  });
});

test('a lost Redis fails no request', async () => {
  const tally = await under(async () => {
    await fleet.redis.stop();
    await delay(1_500);
    await fleet.redis.start();
  });
  expect(Object.keys(outcomesOf(tally))).toEqual(sound);
});
