import * as fs from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileLockError, withFileLock } from './file-lock.ts';
import { makeFolders, removeTemporaries, writeWholeFile } from './whole-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'rostergate-files-'));
  path = join(folder, 'keys.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const modeOf = (file: string) => fs.statSync(file).mode & 0o777;

describe('makeFolders', () => {
  it('creates every missing folder and returns the topmost', () => {
    expect(makeFolders(join(folder, 'a/b/c'))).toBe(join(folder, 'a'));
    expect(fs.statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true);
    expect(makeFolders(join(folder, 'a/b/c'))).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('fails at once where no folder can be created, and for a file', () => {
    expect(() => makeFolders('/proc/none/deeper')).toThrow(expect.objectContaining({ path: '/proc/none' }));
    fs.writeFileSync(path, '');
    expect(() => makeFolders(path)).toThrow(expect.objectContaining({ code: 'EEXIST', path }));
  });
});

describe('writeWholeFile', () => {
  it('creates a file with exact permissions under any umask', () => {
    const before = process.umask(0);
    try {
      writeWholeFile(path, 'a', { mode: 0o600 });
    } finally {
      process.umask(before);
    }
    expect(modeOf(path)).toBe(0o600);
  });

  it('names the folder or the file in an error, never the temporary file', () => {
    const nowhere = join(folder, 'nowhere');
    expect(() => writeWholeFile(join(nowhere, 'a'), 'a')).toThrow(expect.objectContaining({ path: nowhere }));
    fs.mkdirSync(path);
    expect(() => writeWholeFile(path, 'a')).toThrow(expect.objectContaining({ path }));
  });

  it('keeps the permissions of the replaced file without a mode', () => {
    fs.writeFileSync(path, 'a', { mode: 0o640 });
    writeWholeFile(path, 'b');
    expect(modeOf(path)).toBe(0o640);
    writeWholeFile(path, 'c', { mode: 0o600 });
    expect(modeOf(path)).toBe(0o600);
    expect(fs.readFileSync(path, 'utf8')).toBe('c');
  });

  it('writes through a symbolic link', () => {
    const real = join(folder, 'real.json');
    fs.writeFileSync(real, 'a');
    fs.symlinkSync('real.json', path);
    writeWholeFile(path, 'b');
    expect(fs.lstatSync(path).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(real, 'utf8')).toBe('b');
  });

  it('changes nothing when beforeReplace fails', () => {
    fs.writeFileSync(path, 'a');
    const beforeReplace = () => {
      throw new Error('not now');
    };
    expect(() => writeWholeFile(path, 'b', { beforeReplace })).toThrow('not now');
    expect(fs.readdirSync(folder)).toEqual(['keys.json']);
    expect(fs.readFileSync(path, 'utf8')).toBe('a');
  });

  it('removes its temporary files and no others', () => {
    const others = ['.other.json.1.tmp', 'keys.json', 'keys.json.tmp'];
    for (const name of [...others, '.keys.json.aa.tmp']) fs.writeFileSync(join(folder, name), '');
    removeTemporaries(path);
    expect(fs.readdirSync(folder).sort()).toEqual(others);
  });
});

describe('withFileLock', () => {
  const lock = () => `${path}.lock`;
  const dead = `999999999 ${hostname()} abc`;

  it('runs one step after another', async () => {
    const order: string[] = [];
    await withFileLock(lock(), () => order.push('a'));
    await withFileLock(lock(), () => order.push('b'));
    expect(order).toEqual(['a', 'b']);
    expect(fs.existsSync(lock())).toBe(false);
  });

  it('waits for the holder up to waitMs', async () => {
    fs.writeFileSync(lock(), `${process.pid} ${hostname()} x`);
    let nowMs = Date.now();
    const wait = async (ms: number) => {
      nowMs += ms;
    };
    const waiting = withFileLock(lock(), () => 'in', { waitMs: 200, wait, clock: () => nowMs });
    await expect(waiting).rejects.toThrow(FileLockError);
    await expect(waiting).rejects.toThrow(`process ${process.pid} on ${hostname()}`);
  });

  it('continues once the holder releases it', async () => {
    fs.writeFileSync(lock(), `${process.pid} ${hostname()} x`);
    const wait = async () => fs.rmSync(lock());
    expect(await withFileLock(lock(), () => 'in', { wait })).toBe('in');
  });

  it.each([
    ['whose holder has died', dead, 0],
    ['of another machine that is too old', '1 elsewhere abc', 60_000],
    ['without a holder that is too old', '', 60_000],
  ])('takes over a lock %s', async (_, holder, ageMs) => {
    fs.writeFileSync(lock(), holder);
    const since = new Date(Date.now() - ageMs);
    fs.utimesSync(lock(), since, since);
    expect(await withFileLock(lock(), () => 'in', { waitMs: 100 })).toBe('in');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is released when the step fails', async () => {
    const step = () => {
      throw new Error('no');
    };
    await expect(withFileLock(lock(), step)).rejects.toThrow('no');
    expect(fs.existsSync(lock())).toBe(false);
  });

  it('reports to the step that another process took the lock over, and leaves it there', async () => {
    const held = await withFileLock(lock(), (isHeld) => {
      const before = isHeld();
      fs.writeFileSync(lock(), 'another');
      return [before, isHeld()];
    });
    expect(held).toEqual([true, false]);
    expect(fs.readFileSync(lock(), 'utf8')).toBe('another');
  });
});
