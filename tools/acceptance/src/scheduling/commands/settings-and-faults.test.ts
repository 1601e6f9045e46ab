import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runScheduling, startScheduling } from '../../scheduling-process.ts';
import { makeOwnFolder } from './own-folder.ts';

test('command: serves by default, with settings from the file, the environment and the command line in this order', async () => {
  const own = await makeOwnFolder();
  await own.write(
    'scheduling.json',
    '{ "_why": "for people", "port": 1, "token_lifetime_s": 7, "log_level": "debug" }',
  );
  const server = await startScheduling({
    database: own.database,
    args: ['--settings', `${own.folder}/scheduling.json`, '--token-lifetime-s', '60'],
  });
  const login = await server.callAs('admin', '/v2/staffmember/nobody');
  expect(login.status).toBe(404);
  expect(await server.stop()).toBe(0);
  expect(server.log.at(-1)).toMatchObject({ msg: 'stopped', signal: 'SIGTERM' });
});

test('command: reports the fault of a settings file with its line and suggests a field', async () => {
  const own = await makeOwnFolder();
  await own.write('scheduling.json', '{\n  "token_lifetme_s": 60,\n  "port": "x"\n}');
  for (const args of [[], ['accounts', 'list'], ['seed']]) {
    const { exitCode, stderr } = await own.run(args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('scheduling.json:2:3')]);
    expect(stderr).toContain('Did you mean token_lifetime_s?');
    expect(stderr).toContain('scheduling.json:3:11');
  }
  const missing = await own.run(['accounts', 'list', '--settings', 'none.json']);
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('none.json')]);
});

test('command: accepts no database address on the command line, and never prints its password', async () => {
  const own = await makeOwnFolder();
  const url = 'postgres://ops:canary-of-the-test@127.0.0.1:1/none';
  const given = await own.run(['accounts', 'list', '--database-url', url]);
  expect([given.exitCode, given.stderr]).toEqual([2, expect.stringContaining('ROSTERGATE_SCHEDULING_DATABASE_URL')]);
  await own.write('scheduling.json', '{}');
  for (const args of [['accounts', 'list'], ['serve'], ['migrate', '--check'], ['backup', 'x.dump']]) {
    const { exitCode, stdout, stderr } = await runScheduling(args, { cwd: own.folder, env: { DATABASE_URL: url } });
    expect([exitCode, stdout + stderr]).toEqual([3, expect.not.stringContaining('canary')]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  const rejected = await runScheduling(['accounts', 'list'], { cwd: own.folder, env: { DATABASE_URL: url } });
  expect(rejected.stderr).toContain('PostgreSQL at 127.0.0.1:1/none: The connection was refused');
});

test('command: a database file on the command line takes precedence over each other database', async () => {
  const own = await makeOwnFolder({ isFile: true });
  // Nothing listens there: a command that used it would fail.
  const url = 'postgres://ops:canary-of-the-test@127.0.0.1:1/none';
  await own.write('scheduling.json', JSON.stringify({ database_url: url, database_file: 'other.sqlite' }));
  const args = ['migrate', '--json', '--database-file', 'own.sqlite'];
  for (const env of [{}, { ROSTERGATE_SCHEDULING_DATABASE_URL: url }, { DATABASE_URL: url }]) {
    const { exitCode, stderr } = await own.run(args, '', env);
    expect([exitCode, stderr]).toEqual([0, '']);
  }
  expect(['own.sqlite', 'other.sqlite'].map((file) => existsSync(join(own.folder, file)))).toEqual([true, false]);
});

test('command: reports the fault of a database file in one line', async () => {
  const own = await makeOwnFolder({ isFile: true });
  await own.write('text.sqlite', 'This is no database, though it is long enough for one.'.repeat(50));
  const run = (file: string, command: readonly string[]) =>
    runScheduling([...command, '--database-file', file], { cwd: own.folder });
  for (const [file, message] of [
    ['text.sqlite', 'This is not a SQLite database'],
    ['none/x.sqlite', 'cannot be opened'],
    ['.', 'cannot be opened'],
  ] as const) {
    for (const command of [
      ['serve', '--port', '0'],
      ['seed', '--companies', '1'],
    ]) {
      const { exitCode, stdout, stderr } = await run(file, command);
      expect([exitCode, stdout, stderr]).toEqual([3, '', expect.stringContaining(message)]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  }
});

test('command: lists its commands, prints the options of each, and suggests a similar one', async () => {
  const own = await makeOwnFolder();
  const { exitCode, stdout } = await own.run(['--help']);
  expect(exitCode).toBe(0);
  const names = ['serve', 'accounts', 'seed', 'import', 'export', 'migrate', 'audit', 'backup'];
  for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  const helps = await Promise.all(
    ['serve', 'seed', 'import', 'export', 'backup'].map((name) => own.run(['help', name])),
  );
  for (const help of helps) {
    expect([help.exitCode, help.stdout]).toEqual([0, expect.stringContaining('Examples:')]);
    expect(help.stdout).toContain('--database-file');
    expect(help.stdout).not.toContain('--database-url');
  }
  const slip = await own.run(['accounts', 'lst']);
  expect([slip.exitCode, slip.stderr]).toEqual([2, expect.stringContaining('Did you mean list?')]);
});
