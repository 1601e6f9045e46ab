import { Command } from 'commander';
import { expect, it } from 'vitest';
import { resolveHelp } from './resolve-help.ts';

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
])('takes "%s" as "%s"', (given, taken) => {
  expect(resolveHelp(program, given.split(' '))).toEqual(taken.split(' '));
});
