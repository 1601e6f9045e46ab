import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AtEnd } from '../at-end.ts';

const run = promisify(execFile);

/** A network namespace with one link to this machine. */
export interface IsolatedNetwork {
  /** The address of this machine in the namespace. */
  readonly outsideHost: string;
  readonly insideHost: string;
  /** The command prefix that runs a program inside. */
  readonly prefix: readonly string[];
  /** Takes the link down: packets are lost silently. */
  cut(): Promise<void>;
  join(): Promise<void>;
}

/** Creates the namespace; undefined without the permission. */
export async function createIsolatedNetwork(atEnd: AtEnd): Promise<IsolatedNetwork | undefined> {
  const name = `rg${process.pid % 100_000}`;
  const [outside, inside] = [`${name}a`, `${name}b`];
  const ip = (...args: string[]) => run('ip', args);
  const net = `10.213.${process.pid % 250}`;
  try {
    await ip('netns', 'add', name);
  } catch {
    return undefined;
  }
  atEnd(() => ip('netns', 'del', name));
  await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside);
  atEnd(() => ip('link', 'del', outside).catch(() => undefined));
  await ip('link', 'set', inside, 'netns', name);
  await ip('addr', 'add', `${net}.1/30`, 'dev', outside);
  await ip('link', 'set', outside, 'up');
  await ip('netns', 'exec', name, 'ip', 'addr', 'add', `${net}.2/30`, 'dev', inside);
  await ip('netns', 'exec', name, 'ip', 'link', 'set', inside, 'up');
  return {
    outsideHost: `${net}.1`,
    insideHost: `${net}.2`,
    prefix: ['ip', 'netns', 'exec', name],
    // The outer end stays up and loses every packet, like a cable pulled behind a switch.
    cut: async () => void (await ip('netns', 'exec', name, 'ip', 'link', 'set', inside, 'down')),
    join: async () => void (await ip('netns', 'exec', name, 'ip', 'link', 'set', inside, 'up')),
  };
}
