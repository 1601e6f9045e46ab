import { describe, expect, it } from 'vitest';
import { createReloader, type Reading, type ReloadOutcome } from './reloader.ts';
import type { FileState, FileStates, Source } from './source.ts';

/** One source whose content was the text; its file may have other content by now. */
const sourcesOf = (text: string, file = { text }): Source[] => [
  {
    path: '/a',
    identity: text,
    isThere: true,
    isFresh: false,
    stamp: { text, changedMs: 0 },
    select: undefined,
    look: async () => sourcesOf(file.text, file)[0] as Source,
  },
];

function start(options: { apply?: (text: string) => void | Promise<void> } = {}) {
  const file = { text: 'a' };
  const time = { ms: 1_000 };
  const applied: string[] = [];
  const askedMs: number[] = [];
  const outcomes: ReloadOutcome[] = [];
  const reads: string[] = [];
  const reloader = createReloader<string>({
    running: sourcesOf('a'),
    fixed: new Map(),
    async read() {
      const { text } = file;
      reads.push(text);
      return (
        text.startsWith('bad')
          ? { sources: sourcesOf(text, file), fault: new Error(text) }
          : { sources: sourcesOf(text, file), configuration: text, states: async () => new Map() }
      ) as Reading<string>;
    },
    async apply(text, _, ms) {
      askedMs.push(ms);
      await options.apply?.(text);
      applied.push(text);
    },
    onOutcome: (outcome) => outcomes.push(outcome),
    describeFault: ({ message }) => `somewhere in ${message}`,
    clock: () => time.ms,
  });
  const reload = (text: string, trigger = 'edit') => {
    file.text = text;
    return reloader.reload(trigger);
  };
  return { reloader, reload, applied, askedMs, outcomes, reads, time };
}

describe('createReloader', () => {
  it('applies a valid edit, and does nothing for the active configuration', async () => {
    const { reload, applied, outcomes } = start();
    for (const text of ['a', 'b', 'b', 'a']) await reload(text);
    expect(applied).toEqual(['b', 'a']);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unchanged', 'applied', 'unchanged', 'applied']);
  });

  it('numbers the configurations, and returns the faults of the last reading', async () => {
    const { reloader, reload } = start();
    const first = reloader.state();
    expect(first).toMatchObject({ generation: 1, faults: [] });
    await reload('bad');
    const detail = 'somewhere in bad';
    expect(reloader.state()).toEqual({ ...first, faults: [{ where: 'the configuration', field: '', detail }] });
    await reload('b');
    expect(reloader.state()).toMatchObject({ generation: 2, faults: [] });
    expect(reloader.state().revision).not.toBe(first.revision);
    await reload('a');
    expect(reloader.state()).toEqual({ ...first, generation: 3 });
  });

  it('is degraded from the first rejected reading to the next valid one, even the active one', async () => {
    const { reloader, reload, time, applied } = start();
    expect(reloader.status()).toEqual({ status: 'ready', since: '1970-01-01T00:00:01.000Z' });
    time.ms = 2_000;
    await reload('bad 1');
    time.ms = 3_000;
    await reload('bad 2');
    expect(reloader.status()).toEqual({
      status: 'degraded',
      reason: 'somewhere in bad 2',
      since: '1970-01-01T00:00:02.000Z',
    });
    await reload('a');
    expect(reloader.status()).toMatchObject({ status: 'ready' });
    expect(applied).toEqual([]);
  });

  it('rejects a configuration that cannot be applied, and applies it once it can be', async () => {
    let isAble = false;
    const { reloader, reload, applied, outcomes } = start({
      apply() {
        if (!isAble) throw new Error('not yet');
      },
    });
    await reload('b');
    expect(outcomes[0]).toMatchObject({ outcome: 'rejected', fault: { message: 'not yet' } });
    expect(reloader.status()).toMatchObject({ status: 'degraded', reason: 'somewhere in not yet' });
    isAble = true;
    await reload('b', 'SIGHUP');
    expect(applied).toEqual(['b']);
    expect(outcomes[1]).toMatchObject({ outcome: 'applied', trigger: 'SIGHUP' });
  });

  it('runs one reload at a time, and only the newest of the requests meanwhile', async () => {
    const gate = Promise.withResolvers<void>();
    let busy = 0;
    const { reload, applied, askedMs, reads, time } = start({
      async apply() {
        expect(++busy).toBe(1);
        await gate.promise;
        busy--;
      },
    });
    const all = [reload('b')];
    await Promise.resolve();
    for (const text of ['c', 'd', 'e']) {
      time.ms += 100;
      all.push(reload(text));
    }
    time.ms += 100;
    gate.resolve();
    await Promise.all(all);
    // The time of the oldest waiting edit counts.
    expect(askedMs).toEqual([1_000, 1_100]);
    expect(reads).toEqual(['b', 'e']);
    expect(applied).toEqual(['b', 'e']);
  });

  it('does not read again for an edit that the previous reading includes, except by SIGHUP', async () => {
    const { reload, reads, outcomes } = start();
    await Promise.all([reload('bad'), reload('bad')]);
    expect(reads).toEqual(['bad']);
    await Promise.all([reload('bad'), reload('bad', 'SIGHUP'), reload('bad')]);
    expect(reads).toEqual(['bad', 'bad', 'bad']);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('applies nothing once closed, and waits for the work under way', async () => {
    const { reloader, reload, applied, outcomes } = start();
    const asked = reload('b');
    await reloader.close();
    await asked;
    await reload('c');
    expect(applied).toEqual([]);
    expect(outcomes).toEqual([]);
  });
});

describe('an independent file', () => {
  /** Two files: `keys` is independent, `rest` is not. Each reading of all files passes a gate. */
  function startTwo(onApplied: () => void = () => {}) {
    const files: Record<string, string> = { keys: 'k1', rest: 'r1' };
    const applied: string[] = [];
    const outcomes: ReloadOutcome[] = [];
    const watched: string[] = [];
    let gate: Promise<void> = Promise.resolve();
    let applying: Promise<void> = Promise.resolve();
    const sourceOf = (path: string, text: string): Source => ({
      path,
      identity: text,
      isThere: true,
      isFresh: false,
      isIndependent: path === 'keys',
      stamp: { text, changedMs: 0 },
      look: async () => sourceOf(path, files[path] as string),
    });
    const statesOf = (texts: Readonly<Record<string, string>>) => async (): Promise<FileStates> =>
      new Map(Object.entries(texts).map(([path, text]) => [path, stateOf(text)]));
    const readingOf = (texts: Readonly<Record<string, string>>): Reading<string> => {
      const sources = Object.entries(texts).map(([path, text]) => sourceOf(path, text));
      const configuration = Object.values(texts).join(' ');
      if (configuration.includes('bad')) return { sources, fault: new Error(configuration) };
      return { sources, configuration, states: statesOf(texts) };
    };
    const reloader = createReloader<string>({
      running: readingOf(files).sources,
      fixed: new Map([['rest', stateOf('r1')]]),
      async read(_, fixed) {
        const texts = { ...files };
        for (const [path, { stamp }] of fixed ?? []) texts[path] = stamp.text;
        const reading = readingOf(texts);
        if (fixed === undefined) await gate;
        return reading;
      },
      async apply(configuration) {
        await applying;
        applied.push(configuration);
        onApplied();
      },
      onIndependent: (sources) => watched.push(sources.map(({ identity }) => identity).join()),
      onOutcome: (outcome) => outcomes.push(outcome),
      clock: () => 0,
    });
    const holdReading = () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    };
    const holdApplying = () => {
      const held = Promise.withResolvers<void>();
      applying = held.promise;
      return held.resolve;
    };
    return { files, reloader, applied, outcomes, watched, holdReading, holdApplying };
  }
  const stateOf = (text: string): FileState => ({ kind: 'absent', stamp: { text, changedMs: 0 } });
  const turns = () => new Promise((resolve) => setImmediate(resolve));

  it('is applied while another file has a fault, which keeps the status degraded', async () => {
    const { files, reloader, applied, outcomes } = startTwo();
    Object.assign(files, { rest: 'bad' });
    await reloader.reload('edit');
    Object.assign(files, { keys: 'k2' });
    await reloader.reload('edit');
    await turns();
    expect(applied).toEqual(['k2 r1']);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['applied', 'rejected', 'rejected']);
    expect(reloader.status()).toMatchObject({ status: 'degraded' });
  });

  it('is applied while all files are read, which does not restore its older content', async () => {
    const { files, reloader, applied, holdReading } = startTwo();
    const release = holdReading();
    Object.assign(files, { rest: 'r2' });
    const first = reloader.reload('edit');
    await turns();
    Object.assign(files, { keys: 'k2' });
    const second = reloader.reload('edit');
    await turns();
    expect(applied).toEqual(['k2 r1']);
    release();
    await Promise.all([first, second]);
    expect(applied).toEqual(['k2 r1', 'k2 r2']);
  });

  it('holds up no full reload, however often it is edited', async () => {
    let edits = 0;
    const { files, reloader, applied } = startTwo(() => {
      if (edits === 30) return;
      Object.assign(files, { keys: `k${++edits}` });
      void reloader.reload('edit');
    });
    Object.assign(files, { keys: 'k0', rest: 'r2' });
    await reloader.reload('edit');
    expect(applied.length).toBeGreaterThan(25);
    expect(applied.findIndex((configuration) => configuration.endsWith('r2'))).toBeLessThan(5);
  });

  it('waits while a configuration is applied, and takes effect in that one', async () => {
    const { files, reloader, applied, holdApplying } = startTwo();
    const release = holdApplying();
    Object.assign(files, { rest: 'r2' });
    const first = reloader.reload('edit');
    await turns();
    Object.assign(files, { keys: 'k2' });
    const second = reloader.reload('edit');
    await turns();
    release();
    await Promise.all([first, second]);
    expect(applied).toEqual(['k1 r2', 'k2 r2']);
  });

  it('with a fault changes nothing and stays watched', async () => {
    const { files, reloader, applied, watched } = startTwo();
    Object.assign(files, { keys: 'bad' });
    await reloader.reload('edit');
    await turns();
    expect(applied).toEqual([]);
    expect(watched.at(-1)).toBe('bad');
    Object.assign(files, { keys: 'k1' });
    await reloader.reload('edit');
    expect(reloader.status()).toMatchObject({ status: 'ready' });
  });

  it('is reported once as applied, not as unchanged by the reload that follows', async () => {
    const { files, reloader, outcomes } = startTwo();
    Object.assign(files, { keys: 'k2' });
    await reloader.reload('edit');
    await turns();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied']);
  });
});
