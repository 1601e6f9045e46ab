import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createProcessTree } from './process-tree.mjs';

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The test has ended it.
    }
  }
});

/** Starts a parent with a child that runs `code` and then prints its id. */
async function startFamily(code: string): Promise<{ parent: ChildProcess; child: number }> {
  const inner = `${code}; console.log(process.pid); setTimeout(() => {}, 20_000)`;
  const outer = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit', detached: true }); setTimeout(() => {}, 20_000)`;
  const parent = spawn(process.execPath, ['-e', outer], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [printed] = await once(parent.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  const child = Number(printed);
  started.push(parent.pid as number, child);
  return { parent, child };
}

const idsOf = (tree: ReturnType<typeof createProcessTree>) => tree.look().map(({ pid }) => pid);

describe('createProcessTree', () => {
  it('tracks grandchildren, also in process groups of their own', async () => {
    const { parent, child } = await startFamily('');
    expect(idsOf(createProcessTree(process.pid))).toEqual(expect.arrayContaining([parent.pid, child]));
  });

  it('ends a process whose parent has died', async () => {
    const { parent, child } = await startFamily('');
    const tree = createProcessTree(parent.pid as number);
    tree.look();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(idsOf(tree)).toEqual([child]);
    expect(await tree.end({ graceMs: 5_000 })).toBe(0);
    expect(idsOf(tree)).toEqual([]);
  });

  it('sends SIGTERM before SIGKILL, and counts the killed processes', async () => {
    const { parent } = await startFamily("process.on('SIGTERM', () => {})");
    const tree = createProcessTree(parent.pid as number);
    expect(await tree.end({ graceMs: 200, pollMs: 20 })).toBe(1);
    expect(idsOf(tree)).toEqual([]);
    expect(parent.exitCode).toBeNull();
  });
});
