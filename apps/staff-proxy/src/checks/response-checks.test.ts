import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { RawReply } from '@rostergate/server';
import { createTelemetry } from '@rostergate/server/telemetry';
import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, it } from 'vitest';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import { createResponseChecks, type ResponseChecksOptions, withResponseChecks } from './response-checks.ts';

const callOf = (operationId: keyof typeof operations): StaffCall => ({
  operation: operations[operationId],
  path: {},
  query: '',
  body: undefined,
  companyKey: 'C-1',
  headers: {},
  accept: undefined,
});
const list = callOf('listStaffMembers');
const single = callOf('getStaffMember');
const sound = JSON.stringify([{ StaffKey: 'S-1' }]);
const broken = JSON.stringify([{ StaffKey: 'S-1', FirstName: 'canary-value', Fte: 'canary-value' }]);
const jsonReply = (raw: RawReply['raw'], status = 200): RawReply => ({ status, raw, contentType: 'application/json' });
/** Longer than what is checked in one step. */
const people = (last: object) =>
  JSON.stringify([...Array.from({ length: 5_000 }, (_, i) => ({ StaffKey: `S-${i}`, FirstName: 'Ada' })), last]);
const inPieces = (text: string) =>
  Readable.from(
    Array.from({ length: Math.ceil(text.length / 10_000) }, (_, i) =>
      Buffer.from(text).subarray(i * 10_000, (i + 1) * 10_000),
    ),
    { objectMode: false },
  );

function start(
  mode: ResponseChecksOptions['mode'],
  answers: readonly RawReply[],
  more: Partial<ResponseChecksOptions> = {},
) {
  let log = '';
  const lines = new PassThrough().setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const telemetry = createTelemetry({
    ...{ service: 'staff-proxy', version: '0.0.0', clock: () => 0, logLevel: 'trace', logDestination: lines },
  });
  const checks = createResponseChecks(proxyDocument, telemetry);
  const clock = () => performance.now();
  const queue = [...answers];
  const line: SendCall = async () => queue.shift() ?? jsonReply(sound);
  const sendOf = (upstream: string, account = 'admin') =>
    withResponseChecks(line, { mode, sampleEvery: 3, upstream, account, timeoutMs: 60_000, clock, checks, ...more });
  const send = sendOf('first');
  const counts = async () => {
    await checks.samples.settled();
    const { values } = (await telemetry.registry.getSingleMetric('upstream_answers_checked_total')?.get()) ?? {};
    return Object.fromEntries(
      values?.map(({ labels, value }) => [`${labels.operation} ${labels.outcome}`, value]) ?? [],
    );
  };
  const ask = (call: StaffCall = list, signal = new AbortController().signal, upstream = 'first') => {
    const caller: Caller = { requestId: 'r-1', signal, principal: null };
    return (upstream === 'first' ? send : sendOf(upstream))(call, caller);
  };
  const logged = () =>
    log
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ time, ...line }) => line);
  return { ask, counts, logged, line, send, sendOf };
}

describe('withResponseChecks', () => {
  it('adds nothing when off', () => {
    const { line, send } = start('off', []);
    expect(send).toBe(line);
  });

  describe('in sample mode', () => {
    it('checks the first response of each operation, and then every n-th', async () => {
      const { ask, counts } = start('sample', []);
      for (let i = 0; i < 7; i++) await ask();
      expect(await counts()).toEqual({ 'listStaffMembers sound': 3 });
      const single_ = jsonReply('{}');
      const other = start('sample', [single_, jsonReply(sound), single_]);
      for (const call of [single, list, single]) await other.ask(call);
      expect(await other.counts()).toEqual({ 'listStaffMembers sound': 1, 'getStaffMember sound': 1 });
    });

    it('checks the first response of another upstream', async () => {
      const { ask, counts } = start('sample', []);
      for (const upstream of ['first', 'first', 'second', 'second']) await ask(list, undefined, upstream);
      expect(await counts()).toEqual({ 'listStaffMembers sound': 2 });
    });

    it('sends an invalid response unchanged, counts it and logs its places without values', async () => {
      const reply = jsonReply(broken);
      const { ask, counts, logged } = start('sample', [reply]);
      expect(await ask()).toBe(reply);
      expect(logged()).toEqual([]);
      expect(await counts()).toEqual({ 'listStaffMembers broken': 1 });
      expect(logged()).toEqual([
        {
          level: 'warn',
          service: 'staff-proxy',
          request_id: 'r-1',
          operation: 'listStaffMembers',
          status: 200,
          places: ['/0/Fte must be number'],
          msg: 'the upstream broke the contract',
        },
      ]);
    });

    it('passes a stream unchanged, and checks it after its last byte', async () => {
      const text = people({ Fte: 'x' });
      const { ask, counts, logged } = start('sample', [jsonReply(inPieces(text))]);
      const { raw } = await ask();
      expect((await buffer(raw as Readable)).equals(Buffer.from(text))).toBe(true);
      expect(await counts()).toEqual({ 'listStaffMembers broken': 1 });
      expect(logged()[0].places).toEqual(['/5000/Fte must be number']);
    });

    it('ends the upstream’s stream when the caller disconnects, and passes the error of a broken stream on', async () => {
      const left = inPieces(people({}));
      const { ask, counts } = start('sample', [jsonReply(left)], { sampleEvery: 1 });
      const { raw } = await ask();
      (raw as Readable).destroy();
      await new Promise((resolve) => left.on('error', () => {}).once('close', resolve));
      expect(left.destroyed).toBe(true);
      const breaking = new PassThrough();
      const other = start('sample', [jsonReply(breaking)]);
      const relayed = (await other.ask()).raw as Readable;
      breaking.write('[');
      const failed = once(relayed.resume(), 'error').catch((error) => [error]);
      breaking.destroy(new Error('reset'));
      expect(String(await failed)).toContain('reset');
      expect([await counts(), await other.counts()]).toEqual([{}, {}]);
    });

    it('ignores responses without a body', async () => {
      const reply = jsonReply('', 304);
      const { ask, counts } = start('sample', [reply]);
      expect(await ask()).toBe(reply);
      expect(await counts()).toEqual({});
    });

    it('counts a response that is too large as unchecked', async () => {
      const zeros = Readable.from(
        Array.from({ length: 17 * 16 }, () => Buffer.alloc(65_536, '[')),
        { objectMode: false },
      );
      const { ask, counts } = start('sample', [jsonReply(zeros)]);
      await buffer((await ask()).raw as Readable);
      expect(await counts()).toEqual({ 'listStaffMembers unchecked': 1 });
    });
  });

  describe('in strict mode', () => {
    it('checks every response and sends valid ones', async () => {
      const text = people({});
      const { ask, counts } = start('strict', [jsonReply(sound), jsonReply(inPieces(text)), jsonReply(sound)]);
      expect((await ask()).raw).toBe(sound);
      expect((await ask()).raw).toEqual(Buffer.from(text));
      await ask();
      expect(await counts()).toEqual({ 'listStaffMembers sound': 3 });
    });

    it.each([
      ['a short answer', () => jsonReply(broken)],
      ['a long one', () => jsonReply(inPieces(people({ Fte: 'canary-value' })))],
      ['a status that the contract does not have', () => jsonReply(sound, 206)],
    ])('makes %s that breaks the contract a 502 without a value', async (_, reply) => {
      const { ask, logged } = start('strict', [reply()]);
      await expect(ask()).rejects.toMatchObject({
        status: 502,
        code: 'upstream_failed',
        detail: expect.stringMatching(/^The upstream answered 20\d with a body that violates the contract/),
      });
      expect(logged()[0].places).toHaveLength(1);
      expect(JSON.stringify(logged())).not.toContain('canary-value');
    });

    it('rejects a response above 16 MiB with 502 and stops reading it', async () => {
      let sent = 0;
      const endless = new Readable({
        read() {
          sent++;
          this.push(Buffer.alloc(65_536, '['));
        },
      });
      const { ask } = start('strict', [jsonReply(endless)]);
      await expect(ask()).rejects.toMatchObject({ status: 502, detail: expect.stringContaining('16777216 bytes') });
      expect(endless.destroyed).toBe(true);
      expect(sent).toBeLessThan(300);
    });

    it('rejects a dripping response with 504 at the deadline, and closes the upstream’s stream', async () => {
      const drip = new PassThrough();
      drip.write('[');
      const { ask } = start('strict', [jsonReply(drip)], { timeoutMs: 50 });
      await expect(ask()).rejects.toMatchObject({ status: 504 });
      expect(drip.destroyed).toBe(true);
    });

    it('rejects a response that breaks off with 502', async () => {
      const breaking = new PassThrough();
      breaking.write('[');
      const { ask } = start('strict', [jsonReply(breaking)]);
      const asked = ask();
      setImmediate(() => breaking.destroy(new Error('reset')));
      await expect(asked).rejects.toMatchObject({ status: 502, detail: expect.stringContaining('broke off') });
    });

    it('holds four long responses of an account at a time, and takes the next when one is cancelled', async () => {
      const drips = Array.from({ length: 4 }, () => new PassThrough());
      const fifth = inPieces(people({}));
      const { ask, sendOf } = start(
        'strict',
        [...drips, fifth, inPieces(people({}))].map((raw) => jsonReply(raw)),
      );
      const gone = new AbortController();
      const stuck = drips.map((_, i) => ask(list, i === 0 ? gone.signal : undefined).catch(({ status }) => status));
      const next = ask();
      await new Promise((resolve) => setImmediate(resolve));
      expect(fifth.readableDidRead).toBe(false);
      const { signal } = new AbortController();
      const ofAnother = await sendOf('first', 'reader')(list, { requestId: 'r-2', signal, principal: null });
      expect([ofAnother.status, fifth.readableDidRead]).toEqual([200, false]);
      gone.abort();
      expect((await next).status).toBe(200);
      for (const drip of drips) drip.destroy();
      expect(await Promise.all(stuck)).toEqual([502, 502, 502, 502]);
    });

    it('holds sixteen long responses of all accounts at a time, and takes the next when one has ended', async () => {
      const drips = Array.from({ length: 16 }, () => new PassThrough());
      const last = inPieces(people({}));
      const { sendOf } = start(
        'strict',
        [...drips, last].map((raw) => jsonReply(raw)),
      );
      const { signal } = new AbortController();
      const askAs = (account: string) => sendOf('first', account)(list, { requestId: 'r-1', signal, principal: null });
      const stuck = drips.map((_, i) => askAs(`account-${i % 5}`).catch(({ status }) => status));
      const next = askAs('another');
      await new Promise((resolve) => setImmediate(resolve));
      expect(last.readableDidRead).toBe(false);
      drips[0]?.destroy();
      expect((await next).status).toBe(200);
      for (const drip of drips) drip.destroy();
      expect(await Promise.all(stuck)).toEqual(drips.map(() => 502));
    });
  });
});
