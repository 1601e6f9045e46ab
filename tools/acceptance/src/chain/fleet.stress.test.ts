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
/** What callers may get while a server is away; `ECONNRESET` only of a gateway that was killed. */
const bounded = /^(GET (200|502|503|504)|POST (201|502|503|504)|\w+ (ECONNRESET|not connected))$/;

/** Throws when somebody who was acknowledged is missing, or when anybody is there twice. */
async function checkPeople({ created, uncertain }: Tally): Promise<void> {
  const query = new URLSearchParams({ $filter: "startswith(StaffId,'fleet-')", $select: 'StaffId' });
  const response = await fetch(`${fleet.gateways[0]?.url}/api/staff?${query}`);
  const people = (await response.json()) as { StaffId: string }[];
  const counts = new Map<string, number>();
  for (const { StaffId } of people) counts.set(StaffId, (counts.get(StaffId) ?? 0) + 1);
  expect([...created].filter((id) => counts.get(id) !== 1)).toEqual([]);
  expect([...uncertain].filter((id) => (counts.get(id) ?? 0) > 1)).toEqual([]);
}

/** Throws unless everything is answered as ever within two seconds. */
async function checkRecovered(): Promise<void> {
  await delay(2_000);
  const callers = startCallers();
  await delay(1_000);
  await callers.stop();
  expect(Object.keys(outcomesOf(callers.tally))).toEqual(sound);
}

/** Loads the fleet while something happens, and checks what callers got, during and after it. */
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

/** A write whose body has gone to a proxy is not sent to another one: its caller learns that it was not made. */
const refusedWrites = /^POST 50[23]$/;

test.for(kinds)('a graceful restart of %s under load loses nothing', async (kind) => {
  const tally = await under(async () => {
    for (const member of fleet[kind]) {
      await member.restart('SIGTERM');
      // The next one only when this one is asked again: a breaker rests for a second.
      await delay(1_500);
    }
  });
  const outcomes = Object.keys(outcomesOf(tally));
  expect(kind === 'schedulings' ? outcomes.filter((name) => !refusedWrites.test(name)) : outcomes).toEqual(sound);
});

test.for(kinds)('kill -9 of one of %s under load loses no acknowledged write and makes none twice', async (kind) => {
  await under(() => (fleet[kind][0] as Member).restart('SIGKILL'));
});

test.for(kinds)('one of %s that is frozen for three seconds loses and doubles nothing', async (kind) => {
  const { child } = (fleet[kind][1] as Member).process();
  const { slowestMs } = await under(async () => {
    child.kill('SIGSTOP');
    await delay(3_000);
    child.kill('SIGCONT');
  });
  expect(slowestMs).toBeLessThan(20_000);
});

describe('the database', () => {
  test('that is read-only for a while answers reads, and refuses writes with 503', async () => {
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

  test('that has no connection left answers those who have one, and recovers', async () => {
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

test('a Redis that is lost and comes back fails nobody', async () => {
  const tally = await under(async () => {
    await fleet.redis.stop();
    await delay(1_500);
    await fleet.redis.start();
  });
  expect(Object.keys(outcomesOf(tally))).toEqual(sound);
});
