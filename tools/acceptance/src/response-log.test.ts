import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createResponseLog, type LoggedResponse, listFaults, readResponseLog } from './response-log.ts';

const seen: LoggedResponse = {
  ...{ server: 'gateway', operationId: 'getA', status: 200, listedAs: '200', faults: [] },
  ...{ media: 'application/json', headers: ['x-request-id'] },
};

test('stores each distinct verdict of a log once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-responses-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other] = [createResponseLog(folder), createResponseLog(folder)];
  for (const log of [one, one, other]) log(seen);
  other({ ...seen, status: 404, listedAs: '404' });
  expect(readResponseLog(folder)).toHaveLength(3);
});

test('lists the faults of all responses, each once', () => {
  const broken = { ...seen, faults: ['body must be object'] };
  expect(listFaults([seen, broken, broken])).toEqual(['gateway getA 200: body must be object']);
});
