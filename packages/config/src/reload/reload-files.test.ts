import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAtRest } from './configuration-source.ts';
import { createFileWatcher, type FileWatcherOptions } from './file-watcher.ts';
import { createSourceReader, exposureOf, haveMoved, identityOfAll, readFileState } from './source.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reload-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('readFileState', () => {
  it('distinguishes a file, a folder, an absent and an unreadable path, and never throws', async () => {
    const folder = await makeFolder();
    const path = join(folder, 'a');
    expect(await readFileState(path)).toMatchObject({ kind: 'absent' });
    await writeFile(path, 'text');
    expect(await readFileState(path)).toMatchObject({ kind: 'file', bytes: Buffer.from('text') });
    expect(await readFileState(join(path, 'b'))).toMatchObject({ kind: 'absent' });
    expect(await readFileState('x'.repeat(5_000))).toMatchObject({ kind: 'absent' });
    expect(await readFileState('nul\0')).toMatchObject({ kind: 'absent' });
    expect(await readFileState(path, { bytesMax: 3 })).toMatchObject({ kind: 'unreadable' });
    await mkdir(join(folder, 'c'));
    expect(await readFileState(folder)).toMatchObject({ kind: 'folder', names: ['a', 'c'] });
    await symlink('loop', join(folder, 'loop'));
    expect(await readFileState(join(folder, 'loop'))).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('loop'),
    });
    if (process.platform !== 'win32') expect(await readFileState('/dev/null')).toMatchObject({ kind: 'unreadable' });
  });
});

describe('createSourceReader', () => {
  it('reads each path once, and recognises equal content', async () => {
    const path = join(await makeFolder(), 'a');
    await writeFile(path, 'one');
    const reader = createSourceReader();
    await reader.read(path);
    await writeFile(path, 'two');
    expect(await reader.read(path)).toMatchObject({ bytes: Buffer.from('one') });
    expect(await haveMoved(reader.sources())).toBe(true);
    const [source] = reader.sources();
    expect((await source?.look())?.identity).not.toBe(source?.identity);
    await writeFile(path, 'one');
    expect((await source?.look())?.identity).toBe(source?.identity);
  });

  it('includes the permissions of a private file in its identity', async () => {
    const path = join(await makeFolder(), 'a');
    await writeFile(path, 'one', { mode: 0o600 });
    const identityOf = async (isPrivate: boolean) => {
      const reader = createSourceReader();
      await reader.read(path, { isPrivate });
      return identityOfAll(reader.sources());
    };
    const before = [await identityOf(true), await identityOf(false)];
    await chmod(path, 0o644);
    const after = [await identityOf(true), await identityOf(false)];
    expect(after[1]).toBe(before[1]);
    if (process.platform !== 'win32') expect(after[0]).not.toBe(before[0]);
  });

  it('accepts a secret of root that the group of the server may read, and no wider permissions', () => {
    const exposure = (mode: number, owner: number, user: number) =>
      exposureOf({ mode: BigInt(0o100000 | mode), uid: BigInt(owner) }, user);
    expect([exposure(0o440, 0, 1000), exposure(0o640, 0, 1000), exposure(0o600, 1000, 1000)]).toEqual([0, 0, 0]);
    expect([exposure(0o444, 0, 1000), exposure(0o460, 0, 1000)]).toEqual([0o004, 0o020]);
    expect([exposure(0o640, 1000, 1000), exposure(0o640, 1001, 1000), exposure(0o640, 0, 0)]).toEqual([
      0o040, 0o040, 0o040,
    ]);
  });

  it('forgets a guessed path that does not exist', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'there'), '');
    const reader = createSourceReader();
    for (const name of ['there', 'secret']) await reader.read(join(folder, name), { isGuess: true });
    expect(reader.sources().map(({ path }) => path)).toEqual([join(folder, 'there')]);
  });
});

describe('readAtRest', () => {
  it('reads again when a file changes meanwhile, so that files are of one moment', async () => {
    const folder = await makeFolder();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    for (const path of [a, b]) await writeFile(path, 'old');
    let round = 0;
    const { result } = await readAtRest({
      restMs: 1,
      patienceMs: 60_000,
      async read(reader) {
        const first = await reader.read(a);
        if (round++ === 0) for (const path of [a, b]) await writeFile(path, 'new!');
        const second = await reader.read(b);
        return [first, second].map((state) => (state.kind === 'file' ? state.bytes.toString() : state.kind));
      },
    });
    expect(result).toEqual(['new!', 'new!']);
  });

  it('does not wait forever for a writer that never stops', async () => {
    const path = join(await makeFolder(), 'a');
    let round = 0;
    const { result } = await readAtRest({
      // Longer than a busy machine takes for the first reading.
      patienceMs: 4_000,
      async read(reader) {
        await writeFile(path, `${round}`);
        await reader.read(path);
        await writeFile(path, `${round}+`);
        return round++;
      },
    });
    expect(result).toBeGreaterThanOrEqual(1);
  });
});

describe('createFileWatcher', () => {
  /** Watches a file; `changed` resolves with the paths of the next report. */
  async function watching(options: Partial<FileWatcherOptions> = {}) {
    const path = join(await makeFolder(), 'a');
    await writeFile(path, 'one');
    let report = Promise.withResolvers<readonly string[]>();
    const watcher = createFileWatcher({
      pollMs: 20,
      debounceMs: 5,
      ...options,
      onChange: (paths) => report.resolve(paths),
    });
    onTestFinished(() => watcher.close());
    const watch = async () => {
      report = Promise.withResolvers();
      const reader = createSourceReader();
      await reader.read(path);
      watcher.watch(reader.sources());
    };
    await watch();
    return { path, watcher, watch, changed: () => report.promise };
  }
  const withoutEvents = { watchFolder: () => undefined };

  it.each([
    ['by system events alone', { pollMs: 600_000 }],
    ['without system events', withoutEvents],
  ])('notices an edit %s', async (_, options) => {
    const { path, changed, watch } = await watching(options);
    await writeFile(path, 'two');
    expect(await changed()).toEqual([path]);
    await watch();
    await rename(path, `${path}~`);
    expect(await changed()).toEqual([path]);
    await watch();
    await rename(`${path}~`, path);
    expect(await changed()).toEqual([path]);
  });

  it('notices a second edit of the same length right after the first', async () => {
    const { path, changed, watch } = await watching(withoutEvents);
    await writeFile(path, 'two');
    await watch();
    await writeFile(path, 'six');
    expect(await changed()).toEqual([path]);
  });

  it('ignores a touch, and reports once until it is armed again', async () => {
    const folder = await makeFolder();
    const [touched, edited] = [join(folder, 'touched'), join(folder, 'edited')];
    for (const path of [touched, edited]) await writeFile(path, 'one');
    const reports: (readonly string[])[] = [];
    let reported = Promise.withResolvers<void>();
    const onChange = (paths: readonly string[]) => {
      reports.push(paths);
      reported.resolve();
    };
    const watcher = createFileWatcher({ pollMs: 5, debounceMs: 1, onChange });
    onTestFinished(() => watcher.close());
    const watch = async () => {
      reported = Promise.withResolvers();
      const reader = createSourceReader();
      for (const path of [touched, edited]) await reader.read(path);
      watcher.watch(reader.sources());
    };
    await watch();
    await utimes(touched, new Date(), new Date());
    await writeFile(`${touched}.tmp`, 'one');
    await rename(`${touched}.tmp`, touched);
    await writeFile(edited, 'two');
    await reported.promise;
    await writeFile(edited, 'three');
    await watch();
    await writeFile(edited, 'four');
    await reported.promise;
    expect(reports).toEqual([[edited], [edited]]);
  });

  it('holds no more watches after a thousand rounds, and none once closed', async () => {
    const open = new Set<string>();
    const { watcher, watch } = await watching({
      watchFolder(folder) {
        const watch = `${folder} ${performance.now()}`;
        open.add(watch);
        return { close: () => void open.delete(watch) };
      },
    });
    const before = open.size;
    for (let i = 0; i < 1_000; i++) await watch();
    expect(open.size).toBe(before);
    watcher.close();
    expect(open.size).toBe(0);
    expect(watcher.isWatching).toBe(false);
  });
});
