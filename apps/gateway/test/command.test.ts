import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/command/commands.ts';
import { runInProcess } from './run-in-process.ts';
import { runRostergate } from './run-rostergate.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

describe('rostergate', () => {
  it('prints its commands and exit codes without arguments', async () => {
    const { code, stdout, stderr } = await runRostergate([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(stdout).toContain('Exit codes:');
  });

  it('prints its version', async () => {
    expect(await runRostergate(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('suggests a similar command', async () => {
    const { code, stdout, stderr } = await runInProcess(['valdiate']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain("unknown command 'valdiate'");
    expect(stderr).toContain('Did you mean validate?');
  });

  it.each(commands.map(({ name }) => name))('prints the options of %s with --help and help', async (name) => {
    const [byOption, byCommand] = await Promise.all([runInProcess([name, '--help']), runInProcess(['help', name])]);
    expect(byOption.code).toBe(0);
    expect(byOption.stdout).toContain(`Usage: rostergate ${name} `);
    expect(byCommand.stdout).toBe(byOption.stdout);
  });

  it('prints the options of a subcommand', async () => {
    const { code, stdout } = await runInProcess(['help', 'keys', 'rotate']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Usage: rostergate keys rotate ') });
  });

  it.each([
    [['help', 'valdiate'], 'validate'],
    [['valdiate', '--help'], 'validate'],
    [['help', 'keys', 'rotat'], 'rotate'],
  ])('suggests a similar command for %j', async (args, meant) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Did you mean ${meant}?`);
  });

  it.each([
    [['serve', '--rate-limit', '5'], 'Did you mean --rate-limit-enabled, --rate-limit-per-minute,'],
    [['serve', '--cache'], "unknown option '--cache'. rostergate serve --help lists the options."],
    [['serve', '--auth'], 'Did you mean --metrics-requires-auth'],
    [['keys', 'purge'], "unknown command 'purge'. rostergate keys --help lists the commands."],
    [['validate', '--jsn'], 'Did you mean --json?'],
  ])('suggests only related names for %j', async (args, hint) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
    const program = await runInProcess([...args, '--json']);
    expect(JSON.parse(program.stdout).error.message).toContain(hint);
  });

  it.each([
    [['keys', 'create'], "'--name <name>' not specified. rostergate keys create --help shows its usage."],
    [['keys', 'revoke'], "missing required argument 'name'. rostergate keys revoke --help shows its usage."],
    [['validate', 'x'], 'rostergate validate --help shows its usage.'],
  ])('refers to the help of a command with invalid arguments: %j', async (args, hint) => {
    expect((await runInProcess(args)).stderr).toContain(hint);
  });

  it('rejects an old version of Node in one line', async () => {
    const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`;
    const { code, stdout, stderr } = await runRostergate(['--version'], { execArgv: ['--import', old] });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe('rostergate: Node 20.20.2 is too old: 22.19 or later is needed.\n');
  });

  it('prints colours only on request', async () => {
    expect((await runInProcess([])).stdout).not.toContain('\x1b[');
    expect((await runInProcess([], { env: { FORCE_COLOR: '1' } })).stdout).toContain('\x1b[1mUsage:');
  });
});

describe('rostergate serve', () => {
  it('lists an option for each setting, with type, bounds and default', async () => {
    const { code, stdout } = await runInProcess(['serve', '--help']);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/--rate-limit-per-minute <number> .*\(1 to 1000000; default: 60\)/);
  });

  it.each([
    [['--settings', 'other.json'], "unknown option '--settings'"],
    [['--api-keys', 'canary-of-the-test'], 'ROSTERGATE_API_KEYS, or api_keys in settings.json'],
    [['--redis-url=redis://:canary-of-the-test@x'], 'ROSTERGATE_REDIS_URL, or redis_url in settings.json'],
  ])('rejects %j as wrong usage, without repeating a value', async (args, message) => {
    const { code, stdout, stderr } = await runInProcess(['serve', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('canary');
  });

  it('reports the option with an invalid value', async () => {
    const { code, stderr } = await runRostergate(['serve', '--port', 'x']);
    expect(code).toBe(1);
    expect(stderr).toContain('option --port');
  });
});
