import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../src/store/postgres-store.ts';
import { openDatabaseLine } from './database-line.ts';
import { type AppResponse, companyKey, expectProblem, startApp } from './running-app.ts';
import { createTestDatabase, runOnServer } from './test-database.ts';

const list = `/v2/staffmember?companyKey=${companyKey}&$top=1`;

async function startOverLine(statementTimeoutMs = 5_000) {
  const database = await createTestDatabase();
  const line = await openDatabaseLine(database.url);
  const app = await startApp({}, () => openPostgresStore({ url: line.url, connectionsMax: 3, statementTimeoutMs }));
  onTestFinished(async () => {
    line.restore();
    await app.stop();
    await line.close();
    await database.drop();
  });
  expect((await app.asAdmin(list)).status).toBe(200);
  return { app, line, url: database.url, name: database.name };
}

function expectUnavailable(response: AppResponse): void {
  expectProblem(response, 503, 'unavailable');
  expect(response.headers.get('Retry-After')).toBe('1');
}

describe('a database that is lost', () => {
  it('rejects reads, writes and logins with 503, fails readiness, and recovers', async () => {
    const { app, line } = await startOverLine();
    const person = await app.newPerson('N-1');
    line.cut();
    expectUnavailable(await app.asAdmin(list));
    expectUnavailable(await app.asAdmin(person));
    expectUnavailable(await app.put(person, { City: 'Bern' }));
    expectUnavailable(await app.call('/v2/login', { json: { email: 'a@b.example', password: 'x' } }));
    expect((await app.call('/health/ready')).status).toBe(503);
    expect((await app.call('/health/live')).status).toBe(200);
    line.restore();
    expect((await app.asAdmin(list)).status).toBe(200);
    expect((await app.put(person, { City: 'Bern' })).body.City).toBe('Bern');
    await expect.poll(async () => (await app.call('/health/ready')).status).toBe(200);
  });

  it('may close connections at any time, idle or busy', async () => {
    const { app, name } = await startOverLine();
    const person = await app.newPerson('N-1');
    let isOver = false;
    let round = Promise.withResolvers<void>();
    const statuses = new Set<number>();
    const killing = (async () => {
      // On a busy machine no request may fit between the first ones. Each later one leaves time for a round of requests.
      for (let i = 0; i < 15 || (i < 500 && !statuses.has(200)); i++) {
        if (i >= 15) await round.promise;
        await runOnServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      }
      isOver = true;
    })();
    for (let i = 0; !isOver; i++) {
      const responses = await Promise.all([app.asAdmin(list), app.asAdmin(person), app.put(person, { City: `C${i}` })]);
      for (const response of responses) {
        statuses.add(response.status);
        if (response.status !== 200) expectUnavailable(response);
      }
      // Cancelling statements of disconnected clients meets lost connections too.
      const leaving = new AbortController();
      const left = Promise.allSettled([1, 2, 3].map(() => app.asAdmin(list, { signal: leaving.signal })));
      setImmediate(() => leaving.abort());
      await left;
      round.resolve();
      round = Promise.withResolvers();
    }
    await killing;
    expect(statuses).toContain(200);
    expect((await app.put(person, { City: 'Bern' })).status).toBe(200);
  });

  it('fails no later request, though all idle connections are gone', async () => {
    const { app, name } = await startOverLine();
    const person = await app.newPerson('N-1');
    for (let i = 0; i < 5; i++) {
      await Promise.all([app.asAdmin(list), app.asAdmin(list), app.asAdmin(list)]);
      await runOnServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      const responses = await Promise.all([app.put(person, { City: `C${i}` }), app.asAdmin(person), app.asAdmin(list)]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  it('delays only once: what waits for a connection, a turn or a statement is 503 by the same deadline', async () => {
    const { app, line } = await startOverLine();
    const person = await app.newPerson('N-1');
    line.freeze();
    const startedMs = performance.now();
    const ask = (i: number) => (i % 2 === 0 ? app.asAdmin(list) : app.put(person, { City: `City ${i}` }));
    const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i)));
    // Two deadlines would be ten seconds.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    for (const response of responses) expectUnavailable(response);
    const againMs = performance.now();
    expectUnavailable(await app.asAdmin(list));
    expect((await app.call('/health/ready')).status).toBe(503);
    expect(performance.now() - againMs).toBeLessThan(5_000);
    line.restore();
    await expect.poll(async () => (await app.asAdmin(list)).status).toBe(200);
  });

  it('is not waited for without end when it does not respond', async () => {
    const { app, line } = await startOverLine(3_000);
    const person = await app.newPerson('N-1');
    line.freeze();
    const [read, write] = await Promise.all([app.asAdmin(list), app.put(person, { City: 'Bern' })]);
    expectUnavailable(read);
    expectUnavailable(write);
    line.restore();
    await expect.poll(async () => (await app.asAdmin(list)).status).toBe(200);
    expect((await app.put(person, { City: 'Basel' })).body.City).toBe('Basel');
  });
});

describe('a statement', () => {
  it('ends when the client of a list disconnects, though it waits for others', async () => {
    const { app, url } = await startOverLine(60_000);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const waiting = async (): Promise<number> => {
      const text = `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      return (await other.query(text)).rows[0].n;
    };
    try {
      await other.query('BEGIN; LOCK TABLE staff IN ACCESS EXCLUSIVE MODE');
      const leaving = new AbortController();
      const asked = app.asAdmin(list, { signal: leaving.signal });
      await expect.poll(waiting).toBe(1);
      leaving.abort();
      await expect(asked).rejects.toThrow('aborted');
      await expect.poll(waiting).toBe(0);
      await other.query('ROLLBACK');
    } finally {
      await other.end();
    }
    expect((await app.asAdmin(list)).status).toBe(200);
  });
});
