import { ListenError } from '@rostergate/server/lifecycle';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createRecordingTerminal } from '../../test/recording-terminal.ts';
import { ConfigError, faultAt } from '../config/index.ts';
import { FileLockError } from '../files/index.ts';
import { CommandFailure } from './command-failure.ts';
import { runCommand } from './run-command.ts';

async function runThrowing(error: unknown, ...args: readonly string[]) {
  const command = new Command('x').option('--json').action(() => {
    throw error;
  });
  const terminal = createRecordingTerminal();
  const readText = () => '{ "port": true }';
  return { code: await runCommand(command, { args, terminal, readText }), ...terminal.output() };
}

const fault = faultAt({ file: 'settings.json', line: 1, column: 11 }, 'port', 'Expected number.');

describe('a command that fails', () => {
  it.each([
    ['faults of the configuration', new ConfigError([fault]), 1],
    ['a failure of its own', new CommandFailure('No.', 2), 2],
    ['a taken port', new ListenError('Port 1 is taken.', 'EADDRINUSE', undefined), 3],
    ['a lock', new FileLockError('/x.lock', 'process 1 on a'), 3],
    ['a file', Object.assign(new Error('x'), { syscall: 'open', code: 'EACCES', path: '/x' }), 3],
    ['a defect', new TypeError('x is not a function'), 3],
  ])('by %s exits with the code for it', async (_, error, code) => {
    expect((await runThrowing(error)).code).toBe(code);
  });

  it('reports a usage error of any copy of commander', async () => {
    class CommanderError extends Error {
      override readonly name = 'CommanderError';
      readonly exitCode = 1;
    }
    const { code, err } = await runThrowing(new CommanderError("error: unknown option '--y'"));
    expect([code, err]).toEqual([2, expect.not.stringContaining('at ')]);
  });

  it('shows every fault with its source', async () => {
    const { err, out } = await runThrowing(
      new ConfigError([fault, { where: 'option --x', field: 'x', detail: 'No.' }]),
    );
    expect(out).toBe('');
    expect(err).toBe(`x: The configuration has 2 faults:
settings.json:1:11  port: Expected number.
    1 | { "port": true }
      |           ^
option --x  x: No.
`);
  });

  it('writes JSON to stdout alone with --json', async () => {
    const { err, out } = await runThrowing(new ConfigError([fault]), '--json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({
      error: {
        exit_code: 1,
        message: 'The configuration has a fault.',
        faults: [
          {
            where: 'settings.json:1:11',
            field: 'port',
            detail: 'Expected number.',
            file: 'settings.json',
            line: 1,
            column: 11,
          },
        ],
      },
    });
  });

  it('lists in JSON the faults that the message lists', async () => {
    const failure = new CommandFailure('Two are there:\n  a\n  b', 1, { faults: [fault] });
    expect((await runThrowing(failure)).err).toBe('x: Two are there:\n  a\n  b\n');
    expect(JSON.parse((await runThrowing(failure, '--json')).out).error).toMatchObject({
      message: 'Two are there.',
      faults: [{ where: 'settings.json:1:11', detail: 'Expected number.' }],
    });
  });

  it('names the file and the cause in one line', async () => {
    const error = Object.assign(new Error('EACCES: …'), { syscall: 'open', code: 'EACCES', path: '/x/keys.json' });
    expect((await runThrowing(error)).err).toBe('x: /x/keys.json: Permission denied (EACCES).\n');
  });
});

describe('the help of a command', () => {
  it('marks required options', async () => {
    const command = new Command('x')
      .requiredOption('--name <name>', 'its name')
      .option('--owner <owner>', 'who holds it');
    const terminal = createRecordingTerminal();
    await runCommand(command, { args: ['--help'], terminal });
    expect(terminal.output().out).toMatch(/ its name \(required\)\n.* who holds it\n/);
  });
});
