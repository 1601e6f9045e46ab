import { Command } from 'commander';
import { expect, it } from 'vitest';
import { resolveHelp, withDefaultCommand } from './program.ts';

const keys = new Command('keys').addCommand(new Command('rotate').argument('<name>'));
const program = new Command('x').addCommand(keys).addCommand(new Command('import').argument('<file>'));

it.each([
  ['help', '--help'],
  ['help keys', 'keys --help'],
  ['help keys rotate', 'keys rotate --help'],
  ['keys help rotate', 'keys rotate --help'],
  ['help keys --json', 'keys --help'],
  ['help nope', 'nope'],
  ['nope --help', 'nope'],
  ['help keys nope', 'keys nope'],
  ['keys nope -h', 'keys nope'],
  ['import help', 'import help'],
  ['keys rotate help --json', 'keys rotate help --json'],
  ['keys rotate --help', 'keys rotate --help'],
  ['--version', '--version'],
])('rewrites "%s" to "%s"', (given, taken) => {
  expect(resolveHelp(program, given.split(' '))).toEqual(taken.split(' '));
});

it.each([
  ['', 'serve'],
  ['--port 1', 'serve --port 1'],
  ['--settings x.json --json', 'serve --settings x.json --json'],
  ['--help', '--help'],
  ['-V', '-V'],
  ['seed --staff 1', 'seed --staff 1'],
  ['sevre', 'sevre'],
  ['help seed', 'help seed'],
])('rewrites "%s" to "%s"', (given, taken) => {
  expect(withDefaultCommand(given.split(' ').filter((word) => word !== '')).join(' ')).toBe(taken);
});
