import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAnswerLog, type LoggedAnswer, readAnswerLog, summariseAnswers } from './answer-log.ts';

const nothing = { paths: {} };
const documents = {
  gateway: { paths: { '/a': { get: { operationId: 'getA', responses: { 200: {}, 404: {}, default: {} } } } } },
  'staff-proxy': nothing,
  scheduling: nothing,
};
const seen: LoggedAnswer = { server: 'gateway', operationId: 'getA', status: 200, listedAs: '200', faults: [] };

test('keeps each kind of answer once, whoever saw it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other] = [createAnswerLog(folder), createAnswerLog(folder)];
  for (const log of [one, one, other]) log(seen);
  other({ ...seen, status: 404, listedAs: '404' });
  expect(readAnswerLog(folder)).toHaveLength(3);
});

test('counts what was seen of what is declared, and an answer by default as that', () => {
  const answers = [seen, seen, { ...seen, status: 503, listedAs: 'default' }, { ...seen, operationId: undefined }];
  const { lines, faults } = summariseAnswers(answers, documents);
  expect(lines[0]).toBe('gateway: 2 of 3 declared answers were seen, by operation and status');
  expect(faults).toEqual([]);
});

test('names every answer that no contract allows', () => {
  const broken = { ...seen, faults: ['body must be object'] };
  expect(summariseAnswers([seen, broken, broken], documents).faults).toEqual(['gateway getA 200: body must be object']);
});
