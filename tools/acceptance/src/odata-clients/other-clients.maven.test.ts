import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEndings } from '../at-end.ts';
import { installPython } from '../python-environment.ts';
import { makeOwnFolder } from '../scheduling/commands/own-folder.ts';
import { startScheduling } from '../scheduling-process.ts';
import { installOlingo } from './install-olingo.ts';
import { listErrorOf, readWithNpmClient } from './read-with-npm-client.ts';

/** The first run fetches the clients. */
const installationMsMax = 10 * 60_000;
const programs = fileURLToPath(new URL('../../odata-clients', import.meta.url));
const run = promisify(execFile);

const numbers = Array.from({ length: 25 }, (_, n) => n + 1);
const id = (n: number) => `I-${String(n).padStart(2, '0')}`;
const files = {
  staff: [
    'StaffId,StaffKey,FirstName,LastName,Fte,StartDate',
    ...numbers.map((n) => `${id(n)},k${n},First ${n},Last ${n % 7},${n % 5 === 0 ? 0.5 : 1},2020-01-${id(n).slice(2)}`),
  ],
  'tag-categories': ['CategoryName', 'Colour', 'Size'],
  tags: ['CategoryName,TagName', 'Colour,Gold', 'Colour,Silver', 'Size,Large'],
  'staff-tags': ['StaffId,CategoryName,TagName', 'I-01,Colour,Gold', 'I-01,Size,Large', 'I-07,Colour,Gold'],
};

const { atEnd, end } = createEndings();
const password = 'a horse and a battery';
let root: string;
let tokens: Readonly<Record<'admin' | 'reader', string>>;
beforeAll(async () => {
  const { folder, database, run: runCommand, write } = await makeOwnFolder({ atEnd });
  const succeed = async (args: readonly string[], input?: string) => {
    const { exitCode, stderr } = await runCommand(args, input);
    expect([exitCode, stderr]).toEqual([0, stderr]);
  };
  await mkdir(join(folder, 'company'));
  for (const [name, lines] of Object.entries(files)) await write(`company/${name}.csv`, `${lines.join('\n')}\n`);
  await succeed(['accounts', 'add', 'admin@c1.example', '--company', 'c1', '--admin', '--password-stdin'], password);
  await succeed(['accounts', 'add', 'reader@c1.example', '--company', 'c1', '--password-stdin'], password);
  await succeed(['import', 'company', '--company', 'c1']);
  const server = await startScheduling({ database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  atEnd(server.stop);
  root = `${server.url}/v2/`;
  const logIn = async (email: string): Promise<string> =>
    (await server.call('/v2/login', { method: 'POST', json: { email, password } })).body.access_token;
  tokens = { admin: await logIn('admin@c1.example'), reader: await logIn('reader@c1.example') };
});
afterAll(end);

/** Runs the program of a client; returns what it has read as both accounts, and the error that it reports for a wrong token. */
async function readWith(program: string, args: readonly string[]) {
  const env = { ...process.env, ODATA_ROOT: root, ADMIN_TOKEN: tokens.admin, READER_TOKEN: tokens.reader };
  const { stdout } = await run(program, args, { cwd: programs, env, timeout: 150_000 });
  return JSON.parse(stdout.slice(stdout.indexOf('{"admin"')));
}

const everything = {
  ...{ sets: ['StaffMembers'], key: ['StaffKey'], filtered: ['I-07', 'I-01'], counted: 5, count: 25, tags: ['Gold'] },
  ...{ missing: [404, 'not_found'], invalid: [400, 'odata_invalid'] },
};
/** An account without the scope `admin` sees people, but no tags. */
const withoutTags = { ...everything, filtered: [], tags: [] };

test(
  'Apache Olingo reads metadata, people and errors',
  async () => {
    const found = await readWith('java', ['-cp', await installOlingo(), 'ReadPeople.java']);
    const shared = { dateType: 'DateTimeOffset', pages: [10, 10, 5], person: ['First 2', '2020-01-02T00:00:00Z', '1'] };
    expect(found).toEqual({
      admin: { ...everything, ...shared },
      reader: { ...withoutTags, ...shared },
      unauthorized: [401, 'token_invalid'],
    });
  },
  installationMsMax,
);

test(
  'python-odata reads metadata, people and errors',
  async () => {
    const requirements = join(programs, 'requirements.txt');
    const probe = ['python', '-c', 'import odata'] as const;
    const commands = await installPython({ name: 'python-odata', requirements, probe });
    const found = await readWith(join(commands, 'python'), ['read_people.py']);
    const person = ['First 2', '2020-01-02T00:00:00+00:00', '1'];
    const shared = { everyone: numbers.map(id), byKey: 'First 2', person };
    expect(found).toEqual({
      admin: { ...everything, ...shared, expanded: ['Colour', 'Colour', 'Size'] },
      reader: { ...withoutTags, ...shared, expanded: [] },
      unauthorized: [401, 'token_invalid'],
    });
  },
  installationMsMax,
);

test('@odata/client reads metadata, people and errors', async () => {
  const shared = {
    ...{ dateType: 'Edm.DateTimeOffset', pages: [10, 10, 5], person: ['First 2', '2020-01-02T00:00:00Z', 1] },
    missing: expect.stringContaining('There is no person with the key "nobody"'),
    invalid: expect.stringContaining('no property Nobody'),
  };
  expect(await readWithNpmClient(root, tokens.admin)).toEqual({ ...everything, ...shared });
  expect(await readWithNpmClient(root, tokens.reader)).toEqual({ ...withoutTags, ...shared });
  expect(await listErrorOf(root, 'wrong')).toContain('Send a token');
});
