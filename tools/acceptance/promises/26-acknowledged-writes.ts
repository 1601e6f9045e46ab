import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { type AtEnd, makeTemporaryFolder } from '../src/at-end.ts';
import { createFile, createPostgresDatabase } from '../src/database.ts';
import { pollUntil } from '../src/poll-until.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { killKeyWriters } from '../src/promises/kill-key-writers.ts';
import { needPostgres, needRedis } from '../src/promises/need-services.ts';
import { createSmallDisk } from '../src/promises/small-disk.ts';
import { type Call, createWriteLog, type Reply, type WriteLog } from '../src/promises/write-log.ts';
import { type SpawnedScheduling, spawnScheduling } from '../src/spawn-scheduling.ts';

const writers = [0, 1, 2, 3];

/** A server on one database, and the record of its acknowledged writes. */
interface Subject {
  readonly writeLog: WriteLog;
  server(): SpawnedScheduling;
  start(): Promise<void>;
  /** Kills it during its work; returns whether the kill ended it. */
  kill(): Promise<boolean>;
  /** Writes with all writers until the end, or until the server stops responding. */
  keepWriting(): { end(): Promise<void> };
}

export const promise = definePromise({
  number: 26,
  title: 'An acknowledged write survives',
  done: 'The server is killed with SIGKILL during writes on SQLite and on PostgreSQL, PostgreSQL is killed during writes, and the disk is full; then all people are read back. Writers of keys, and their key store in PostgreSQL and in Redis, are killed during edits; then all keys are read back',
  target: '0 lost in 200 kills',
  runsAlone: 'at full scale',
  async run(trial) {
    const postgres = await needPostgres(trial.atEnd);
    const file = await createFile();
    trial.atEnd(file.drop);
    const { env } = await createPostgresDatabase(postgres.url);
    const [onFile, onPostgres] = await Promise.all([
      tryKills('SQLite', file.env, trial),
      tryKills('PostgreSQL', env, trial),
    ]);
    const crashed = await createPostgresDatabase(postgres.url);
    const ofCrashes = await tryCrashes(crashed.env, postgres, trial);
    const keys = await createPostgresDatabase(postgres.url);
    const [url = ''] = Object.values(keys.env);
    const redis = await needRedis(trial.atEnd, { more: { appendonly: 'yes', appendfsync: 'always' } });
    const onFullDisk = await tryFullDisk(trial);
    const ofKeys = await killKeyWriters('PostgreSQL', { ...postgres, url }, trial);
    return [
      ...onFile,
      ...onPostgres,
      ...ofCrashes,
      ...onFullDisk,
      ...ofKeys,
      ...(await killKeyWriters('Redis', redis, trial)),
    ];
  },
});

/**
 * Kills the server at a random time in a quarter of a second of writes: in three of four rounds from the first
 * acknowledged write, because a busy machine may acknowledge none that early, else from the first sent one.
 */
async function tryKills(name: string, env: Record<string, string>, trial: Trial): Promise<Figure[]> {
  const kills = trial.byScale({ ci: 10, full: 200 });
  const subject = await createSubject(env, trial.atEnd);
  const { writeLog } = subject;
  let killed = 0;
  for (let i = 1; i <= kills; i++) {
    const writing = subject.keepWriting();
    if (i % 4 !== 0) await untilWritten(writeLog, 1, subject);
    await wait(trial.random.next() * 250);
    if (await subject.kill()) killed++;
    await writing.end();
    await subject.start();
    await writeLog.check();
    if (i % 20 === 0) trial.say(`${name}: ${i} kills, ${writeLog.results.acknowledged} acknowledged`);
  }
  await writeLog.checkAll();
  return [
    ...toWriteFigures(writeLog, `with ${name}`, ['none']),
    toFigure({ name: `kills with ${name}`, unit: '', min: kills }, killed),
    toFigure({ name: `acknowledged with ${name}`, unit: '', min: kills }, writeLog.results.acknowledged),
  ];
}

/** Kills PostgreSQL during transactions and restarts it; the server keeps running. */
async function tryCrashes(
  env: Record<string, string>,
  postgres: { stop(): Promise<void>; start(): Promise<void> },
  { byScale, random, atEnd, say }: Trial,
): Promise<Figure[]> {
  const crashes = byScale({ ci: 3, full: 30 });
  const subject = await createSubject(env, atEnd);
  const { writeLog } = subject;
  let met = 0;
  // A kill between the writes is repeated.
  for (let i = 0; met < crashes && i < 2 * crashes; i++) {
    const writing = subject.keepWriting();
    await wait(50 + random.next() * 250);
    const rejectedBefore = countOf(writeLog.results.rejections);
    await postgres.stop();
    await wait(50);
    await postgres.start();
    await untilWritten(writeLog, 20, subject);
    await writing.end();
    if (countOf(writeLog.results.rejections) > rejectedBefore) met++;
    await writeLog.check();
  }
  await writeLog.checkAll();
  say(`${crashes} crashes of PostgreSQL`);
  return [
    ...toWriteFigures(writeLog, 'when PostgreSQL was killed', ['503 unavailable']),
    toFigure({ name: 'kills of PostgreSQL during writes', unit: '', min: crashes }, met),
  ];
}

/** Fills and frees the disk, and kills the server on the full disk in every second round. */
async function tryFullDisk({ byScale, atEnd, say }: Trial): Promise<Figure[]> {
  const rounds = byScale({ ci: 2, full: 12 });
  const disk = createSmallDisk(atEnd);
  const subject = await createSubject({ ROSTERGATE_SCHEDULING_DATABASE_FILE: join(disk.folder, 'own.sqlite') }, atEnd);
  const { writeLog } = subject;
  let [rejected, unread] = [0, 0];
  for (let i = 1; i <= rounds; i++) {
    const writing = subject.keepWriting();
    await untilWritten(writeLog, 20, subject);
    disk.fill(subject.server().child.pid as number);
    const rejectedBefore = countOf(writeLog.results.rejections);
    const isRejected = () => countOf(writeLog.results.rejections) > rejectedBefore + 10;
    const describe = () => `writes are not rejected:\n${subject.server().output().slice(-2_000)}`;
    await pollUntil(isRejected, { withinMs: 20_000, everyMs: 10, describe });
    rejected += countOf(writeLog.results.rejections) - rejectedBefore;
    const before = writeLog.results.lost.length;
    await writeLog.check();
    unread += writeLog.results.lost.length - before;
    const isKill = i % 2 === 0;
    if (isKill) await subject.kill();
    disk.free(subject.server().child.pid as number);
    if (isKill) {
      await writing.end();
      await subject.start();
    } else {
      await untilWritten(writeLog, 20, subject);
      await writing.end();
    }
    await writeLog.check();
  }
  await writeLog.checkAll();
  say(`${rounds} times ${disk.kind}`);
  return [
    ...toWriteFigures(writeLog, `on ${disk.kind}`, ['503 unavailable', 'none']),
    toFigure({ name: 'writes rejected', unit: '', min: 10 * rounds }, rejected),
    toFigure({ name: 'reads failed on a full disk', unit: '', max: 0 }, unread, writeLog.results.lost[0]),
  ];
}

/** @param allowed the rejections that are correct in this trial */
function toWriteFigures({ results }: WriteLog, when: string, allowed: readonly string[]): Figure[] {
  const others = [...results.rejections.keys()].filter((kind) => !allowed.includes(kind));
  return [
    toFigure({ name: `lost ${when}`, unit: '', max: 0 }, results.lost.length, results.lost[0]),
    toFigure({ name: `partial writes ${when}`, unit: '', max: 0 }, results.halved.length, results.halved[0]),
    toFigure({ name: `rejected with a wrong error ${when}`, unit: '', max: 0 }, others.length, others.join(', ')),
  ];
}

async function untilWritten({ results }: WriteLog, more: number, { server }: Subject): Promise<void> {
  const wanted = results.acknowledged + more;
  const describe = () => `writes are not accepted:\n${server().output().slice(-2_000)}`;
  await pollUntil(() => results.acknowledged >= wanted, { withinMs: 30_000, everyMs: 10, describe });
}

function countOf(rejections: ReadonlyMap<string, number>): number {
  return [...rejections.values()].reduce((sum, count) => sum + count, 0);
}

async function createSubject(databaseEnv: Record<string, string>, atEnd: AtEnd): Promise<Subject> {
  const folder = await makeTemporaryFolder('rostergate-writes-', atEnd);
  const { credentials, env: demoEnv } = await loadDemoCredentials(folder);
  const { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE = '' } = demoEnv;
  const env = { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE, ...databaseEnv };
  let server = await spawnScheduling(env);
  atEnd(() => server.stop());
  const start = async () => {
    server = await spawnScheduling(env);
  };
  const login = { email: credentials.SCHEDULING_ADMIN_EMAIL, password: credentials.SCHEDULING_ADMIN_PASSWORD };
  const { body } = await ask(`${server.url}/v2/login`, 'POST', login);
  // Tokens survive a restart of the server.
  const call: Call = (method, path, json) => ask(server.url + path, method, json, body.access_token);
  const writeLog = createWriteLog(call, credentials.COMPANY_KEY);
  await writeLog.createTeams(writers.length);
  return {
    writeLog,
    server: () => server,
    start,
    async kill() {
      const ended = once(server.child, 'exit');
      server.child.kill('SIGKILL');
      await ended;
      await server.stop();
      return server.child.signalCode === 'SIGKILL';
    },
    keepWriting() {
      let isEnding = false;
      const writing = writers.map(async (writer) => {
        const { child } = server;
        while (!isEnding && child.signalCode === null) {
          // A rejected writer retries after a moment.
          if (!(await writeLog.write(writer))) await wait(5);
        }
      });
      return {
        async end() {
          isEnding = true;
          await Promise.all(writing);
        },
      };
    },
  };
}

async function ask(url: string, method: string, json?: unknown, token?: string): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get('ETag') ?? '',
      body: text === '' ? '' : JSON.parse(text),
    };
  } catch {
    return { status: 0, etag: '', body: undefined };
  }
}
