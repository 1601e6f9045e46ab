import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAtRest } from './configuration-source.ts';
import { exposureOf, readFileState } from './file-state.ts';
import { createFileWatcher, type FileWatcherOptions } from './file-watcher.ts';
import { createSourceReader, haveMoved, identityOfAll } from './source-files.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reload-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('readFileState', () => {
  it('tells a file, a folder, nothing, and what cannot be read from each other, and never throws', async () => {
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
      reason: expect.stringContaining('circle'),
    });
    if (process.platform !== 'win32') expect(await readFileState('/dev/null')).toMatchObject({ kind: 'unreadable' });
  });
});

describe('createSourceReader', () => {
  it('reads each path once, and knows equal content again', async () => {
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

  it('counts who may read a private file as its content', async () => {
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

  it('takes a secret that root lends to the group of the server, and none that is open any further', () => {
    const exposure = (mode: number, owner: number, user: number) =>
      exposureOf({ mode: BigInt(0o100000 | mode), uid: BigInt(owner) }, user);
    expect([exposure(0o440, 0, 1000), exposure(0o640, 0, 1000), exposure(0o600, 1000, 1000)]).toEqual([0, 0, 0]);
    expect([exposure(0o444, 0, 1000), exposure(0o460, 0, 1000)]).toEqual([0o004, 0o020]);
    expect([exposure(0o640, 1000, 1000), exposure(0o640, 1001, 1000), exposure(0o640, 0, 0)]).toEqual([
      0o040, 0o040, 0o040,
    ]);
  });

  it('forgets a guess at a path where nothing is', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'there'), '');
    const reader = createSourceReader();
    for (const name of ['there', 'secret']) await reader.read(join(folder, name), { isGuess: true });
    expect(reader.sources().map(({ path }) => path)).toEqual([join(folder, 'there')]);
  });
});

describe('readAtRest', () => {
  it('reads again what was touched while it was read: two files are never of two moments', async () => {
    const folder = await makeFolder();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    for (const path of [a, b]) await writeFile(path, 'old');
    let round = 0;
    const { result } = await readAtRest({
      restMs: 1,
      async read(reader) {
        const first = await reader.read(a);
        if (round++ === 0) for (const path of [a, b]) await writeFile(path, 'new!');
        const second = await reader.read(b);
        return [first, second].map((state) => (state.kind === 'file' ? state.bytes.toString() : state.kind));
      },
    });
    expect(result).toEqual(['new!', 'new!']);
  });

  it('does not wait for ever for somebody who never stops writing', async () => {
    const path = join(await makeFolder(), 'a');
    let round = 0;
    const { result } = await readAtRest({
      patienceMs: 60,
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
  const withoutSigns = { watchFolder: () => undefined };

  it.each([
    ['with signs from the system alone', { pollMs: 600_000 }],
    ['where the system gives no signs', withoutSigns],
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

  it('notices a second edit of the same length in the moment after the first', async () => {
    const { path, changed, watch } = await watching(withoutSigns);
    await writeFile(path, 'two');
    await watch();
    await writeFile(path, 'six');
    expect(await changed()).toEqual([path]);
  });

  it('says nothing of a touch, and speaks once until it is told to watch on', async () => {
    const folder = await makeFolder();
    const [touched, edited] = [join(folder, 'touched'), join(folder, 'edited')];
    for (const path of [touched, edited]) await writeFile(path, 'one');
    const reports: (readonly string[])[] = [];
    let told = Promise.withResolvers<void>();
    const onChange = (paths: readonly string[]) => {
      reports.push(paths);
      told.resolve();
    };
    const watcher = createFileWatcher({ pollMs: 5, debounceMs: 1, onChange });
    onTestFinished(() => watcher.close());
    const watch = async () => {
      told = Promise.withResolvers();
      const reader = createSourceReader();
      for (const path of [touched, edited]) await reader.read(path);
      watcher.watch(reader.sources());
    };
    await watch();
    await utimes(touched, new Date(), new Date());
    await writeFile(`${touched}.tmp`, 'one');
    await rename(`${touched}.tmp`, touched);
    await writeFile(edited, 'two');
    await told.promise;
    await writeFile(edited, 'three');
    await watch();
    await writeFile(edited, 'four');
    await told.promise;
    expect(reports).toEqual([[edited], [edited]]);
  });

  it('holds as many watches after a thousand rounds as after one, and none when it is closed', async () => {
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
