import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createReport, rehearse } from './rehearse.ts';
import { RehearsalFault, StepList } from './step-list.ts';

function createSteps() {
  let nowMs = 0;
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const clock = () => {
    nowMs += 1_500;
    return nowMs;
  };
  return { steps: new StepList({ write, clock }), written: () => text };
}

it('writes the duration and result of each step', async () => {
  const { steps, written } = createSteps();
  expect(
    await steps.need(
      'pack',
      async () => 12,
      (count) => `${count} packages`,
    ),
  ).toBe(12);
  expect(written()).toBe('ok        1.5 s  pack: 12 packages\n');
  expect(steps.outcomes).toEqual([{ name: 'pack', seconds: 1.5, passed: true, detail: '12 packages' }]);
});

it('continues after a failed check and records its first line', async () => {
  const { steps, written } = createSteps();
  await steps.check('sizes', async () => {
    throw new RehearsalFault('pets is too large\nmake it smaller');
  });
  expect(written()).toBe('FAILED    1.5 s  sizes: pets is too large\n               make it smaller\n');
  expect(steps.outcomes).toMatchObject([{ name: 'sizes', passed: false, detail: 'pets is too large' }]);
});

it('stops at a failed step that others need', async () => {
  const { steps } = createSteps();
  const failing = async () => {
    throw new RehearsalFault('no registry');
  };
  await expect(steps.need('publish', failing, String)).rejects.toThrow('no registry');
  expect(steps.outcomes).toMatchObject([{ name: 'publish', passed: false }]);
});

it('fails if it reaches no step', async () => {
  const scratch = join(import.meta.dirname, 'no such folder');
  const rehearsal = await rehearse({ root: scratch, scratch, write: () => {}, clock: () => 0 });
  expect(createReport(rehearsal)).toMatchObject({ passed: 0, failed: 1, steps: [{ name: 'rehearse', passed: false }] });
});
