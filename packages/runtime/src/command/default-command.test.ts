import { expect, it } from 'vitest';
import { withDefaultCommand } from './default-command.ts';

it.each([
  ['', 'serve'],
  ['--port 1', 'serve --port 1'],
  ['--settings x.json --json', 'serve --settings x.json --json'],
  ['--help', '--help'],
  ['-V', '-V'],
  ['seed --staff 1', 'seed --staff 1'],
  ['sevre', 'sevre'],
  ['help seed', 'help seed'],
])('takes "%s" as "%s"', (given, taken) => {
  expect(withDefaultCommand(given.split(' ').filter((word) => word !== '')).join(' ')).toBe(taken);
});
