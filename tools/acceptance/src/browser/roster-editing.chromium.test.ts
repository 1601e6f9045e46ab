import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { type StaffServer, staffServers } from '../server-names.ts';
import { findViolationsByScheme } from './find-violations.ts';
import { type OpenOptions, openPage } from './open-page.ts';
import { bearerOf, countShown, enterRoster, openRoster, type Role } from './roster-page.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();
const { urls } = inject('servers');
const none = { light: [], dark: [] };

/** Calls the scheduling API as an administrator, outside of the page. */
// biome-ignore lint/suspicious/noExplicitAny: the contract is checked elsewhere.
async function callApi(path: string, method = 'GET', body?: object): Promise<any> {
  const headers = { ...(await bearerOf('scheduling')), 'Content-Type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${urls.scheduling}/v2/${path}`, init);
  expect(response.status).toBeLessThan(300);
  return response.json();
}

async function addPerson() {
  const StaffId = `edit-${randomUUID()}`;
  const { StaffKey } = await callApi('staffmember', 'POST', {
    StaffId,
    FirstName: 'Ada',
    LastName: 'Quist',
    Abbrev: 'AQ',
  });
  const of = (path: string) => `staffmember/${encodeURIComponent(StaffKey)}${path}`;
  return { StaffId, StaffKey: String(StaffKey), of };
}

interface PersonOptions extends OpenOptions {
  readonly server?: StaffServer;
  readonly role?: Role;
}

/** Opens the panel of a person as a role. */
async function openPersonAs(staffKey: string, { server = 'scheduling', role = 'admin', ...rest }: PersonOptions = {}) {
  const opened = await openPage(browser(), `${urls[server]}/#person=${encodeURIComponent(staffKey)}`, rest);
  await enterRoster(opened.page, server, { role });
  const panel = opened.page.getByRole('dialog');
  await panel.getByText('LastModifiedDateUtc').waitFor();
  return { ...opened, panel };
}

const button = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });

/** A button of the open form: the button that opens it has a similar name. */
const formButton = (page: Page, name: string) => page.locator('form.editor').getByRole('button', { name, exact: true });

const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });

/** Saves the open form; resolves when the person is shown again. */
async function save(page: Page) {
  await button(page, 'Save').click();
  await page.locator('form.editor').waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('#said').textContent()).toBe('Saved.');
}

/** The task of the demo company that the tests use. */
async function findTask(name: string): Promise<string> {
  const tasks = await callApi('admin/tasks');
  return tasks.find(({ TaskName }: { TaskName: string }) => TaskName === name).TaskKey;
}

test('an administrator changes tag, skill, manager and pay modifier, and sees them after a reload', async () => {
  const { StaffKey, of } = await addPerson();
  const { page, panel, faults } = await openPersonAs(StaffKey, { expectedStatuses: [400] });
  await button(page, 'Add a tag').click();
  await page.locator('form.editor').waitFor();
  expect(await page.evaluate<string>('document.activeElement.labels[0].textContent')).toBe('Category');
  expect(await button(page, 'Change the manager').isDisabled()).toBe(true);
  await field(page, 'Category').selectOption('Specialty');
  await field(page, 'Tag').selectOption('Cardiology');
  await field(page, 'Effective from').fill('2024-05-01');
  await save(page);
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Add a tag');

  await button(page, 'Add or change a skill').click();
  await field(page, 'Skill').selectOption('ICU Night');
  await field(page, 'Tue').check();
  await field(page, 'Frequency on Tue').fill('Monthly');
  await save(page);

  await button(page, 'Change the manager').click();
  await field(page, 'StaffId of the manager').fill('no-such-id');
  await button(page, 'Save').click();
  const manager = field(page, 'StaffId of the manager');
  await expect.poll(() => manager.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('form .fault').textContent()).toContain('must be the StaffId of a person of the company');
  await manager.fill('S-1009');
  await save(page);

  await panel.locator('summary', { hasText: 'Pay modifiers' }).click();
  await button(page, 'Add a pay modifier').click();
  await field(page, 'PositionId').fill('P-7');
  await field(page, 'StartDate').fill('2024-02-01');
  await field(page, 'EndDate').fill('2024-01-01');
  await field(page, 'LocationTagCategory').selectOption('Region');
  await field(page, 'LocationTagName').selectOption({ index: 1 });
  await page.getByRole('group', { name: 'Tags' }).getByLabel('Category').selectOption('Seniority');
  await page.getByRole('group', { name: 'Tags' }).getByLabel('Tag', { exact: true }).selectOption({ index: 1 });
  await button(page, 'Add the tag').click();
  await button(page, 'Save').click();
  await expect.poll(() => field(page, 'EndDate').getAttribute('aria-invalid')).toBe('true');
  expect(await page.evaluate<string>('document.activeElement.labels[0].textContent')).toBe('EndDate');
  const isCovered =
    "document.activeElement.getBoundingClientRect().top < document.querySelector('#person header').getBoundingClientRect().bottom";
  expect(await page.evaluate<boolean>(isCovered)).toBe(false);
  expect(await page.locator('form .fault').textContent()).toMatch(/^EndDate is before StartDate 2024-02-01/);
  expect(await field(page, 'PositionId').inputValue()).toBe('P-7');
  expect(await findViolationsByScheme(page)).toEqual(none);
  await field(page, 'EndDate').fill('2024-12-31');
  await save(page);
  await button(page, 'Change the pay modifier P-7').click();
  await field(page, 'IsPrimaryPosition').check();
  await save(page);

  await page.reload();
  await panel.getByText('LastModifiedDateUtc').waitFor();
  expect(await panel.locator('.dated', { hasText: 'Cardiology' }).textContent()).toContain('since 2024-05-01');
  expect(await panel.locator('.grid tbody tr').textContent()).toContain('ICU Night');
  expect(await panel.locator('[data-part="Work"]').textContent()).toContain('ManagerIdS-1009');
  await panel.locator('summary', { hasText: 'Pay modifiers' }).click();
  expect(await panel.locator('.item').textContent()).toMatch(/P-7 primary.*2024-02-01 until 2024-12-31/);
  const [modifier] = await callApi(of('/payModifier'));
  expect(modifier).toMatchObject({ LocationTagKey: expect.any(Number), IsPrimaryPosition: true });
  expect(modifier.PayModifierTagKeys).toHaveLength(1);

  await button(page, 'Delete the pay modifier P-7').click();
  await formButton(page, 'Delete').click();
  await expect.poll(() => panel.locator('.item').count()).toBe(0);
  await button(page, 'Remove a skill').click();
  await formButton(page, 'Remove').click();
  await expect.poll(() => panel.locator('.grid').count()).toBe(0);
  expect(await callApi(of('/payModifier'))).toEqual([]);
  expect(faults).toEqual([]);
});

describe.each([
  { server: 'scheduling', width: 1280 },
  { server: 'staff-proxy', width: 390 },
] as const)('a conflict at $width pixels on $server', ({ server, width }) => {
  test.runIf(staffServers.includes(server))(
    'is explained with both changes, and the input applies to the new version',
    async () => {
      const { StaffKey, of } = await addPerson();
      const task = await findTask('ICU Night');
      await callApi(of(`/skillset/${task}`), 'PUT', { IsSkilledMon: true, MonOccurrence: 'Weekly' });
      const viewport = { width, height: 900 };
      const { page, panel, faults } = await openPersonAs(StaffKey, { server, viewport, expectedStatuses: [412] });
      await button(page, 'Add or change a skill').click();
      await field(page, 'Skill').selectOption('ICU Night');
      await field(page, 'Frequency on Mon').fill('Monthly');
      await field(page, 'Sat').check();

      await callApi(of(`/skillset/${task}`), 'PUT', { MonOccurrence: 'Biweekly', IsSkilledTue: true });
      await callApi(of(''), 'PUT', { Fte: 0.5 });
      await button(page, 'Save').click();
      await panel.getByRole('heading', { name: 'Somebody else was faster' }).waitFor();
      const rows = await page
        .locator('.conflict tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
      expect(rows).toEqual([
        ['ICU Night, Mon (both changed)', 'Weekly', 'Biweekly', 'Monthly'],
        ['Fte', '–', '0.5', 'unchanged'],
        ['ICU Night, Tue', '–', 'yes', 'unchanged'],
        ['ICU Night, Sat', '–', '–', 'yes'],
      ]);
      expect(await field(page, 'Frequency on Mon').inputValue()).toBe('Monthly');
      expect(await findViolationsByScheme(page)).toEqual(none);
      const beyond = await page.evaluate<number>(
        "Math.max(0, ...['html', '#person'].map((at) => document.querySelector(at)).map((at) => at.scrollWidth - at.clientWidth))",
      );
      expect(beyond).toBe(0);
      await page.locator('.conflict').scrollIntoViewIfNeeded();
      await button(page, 'Apply my change to this version').click();
      await page.locator('form.editor').waitFor({ state: 'detached' });
      const { Skillset, Fte } = await callApi(of('?includes=Skillset'));
      expect([Fte, Skillset[0].MonOccurrence, Skillset[0].IsSkilledTue, Skillset[0].IsSkilledSat]).toEqual([
        0.5,
        'Monthly',
        true,
        true,
      ]);
      expect(faults).toEqual([]);
    },
  );
});

test('a conflict can also end with the new version, and unsaved input is not closed without a question', async () => {
  const { StaffKey, StaffId, of } = await addPerson();
  const { page } = await openRoster(browser(), 'scheduling', { expectedStatuses: [412] });
  const panel = page.getByRole('dialog');
  await page.fill('#text', StaffId);
  await expect.poll(() => countShown(page)).toBe('1 person');
  await page.locator('#people .name').click();
  await button(page, 'Change the manager').click();
  await field(page, 'StaffId of the manager').fill('S-1009');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.keyboard.press('Escape');
  await page.goBack();
  await expect.poll(() => asked).toEqual(['Discard your unsaved changes?', 'Discard your unsaved changes?']);
  await expect.poll(() => page.evaluate<string>('location.hash')).toContain(`person=${StaffKey}`);
  expect(await field(page, 'StaffId of the manager').inputValue()).toBe('S-1009');
  await callApi(of('/manager'), 'POST', { ManagerId: 'S-1010' });
  await button(page, 'Save').click();
  await button(page, 'Discard my change and reload').click();
  await expect.poll(() => panel.locator('[data-part="Work"]').textContent()).toContain('ManagerIdS-1010');
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.isVisible()).toBe(false);
  expect(asked).toHaveLength(2);
  expect((await callApi(of(''))).ManagerId).toBe('S-1010');
});

test('a pay modifier that somebody else deletes meanwhile is explained, and the input stays', async () => {
  const { StaffKey, of } = await addPerson();
  const { PayModifierKey } = await callApi(of('/payModifier'), 'POST', { PositionId: 'P-8' });
  const { page, panel } = await openPersonAs(StaffKey, { expectedStatuses: [404] });
  await panel.locator('summary', { hasText: 'Pay modifiers' }).click();
  await button(page, 'Change the pay modifier P-8').click();
  await field(page, 'PositionId').fill('P-9');
  await callApi(of(`/payModifier/${PayModifierKey}`), 'DELETE');
  await button(page, 'Save').click();
  await panel.getByRole('heading', { name: 'What you are changing is gone' }).waitFor();
  expect(await field(page, 'PositionId').inputValue()).toBe('P-9');
  expect(await page.locator('form.editor button.main').isVisible()).toBe(false);
  await button(page, 'Discard my change and reload').click();
  await expect.poll(() => panel.locator('.item').count()).toBe(0);
});

test('a server without versions saves only after the reader accepts that nothing is checked', async () => {
  const { StaffKey, of } = await addPerson();
  const { page } = await openPersonAs(StaffKey, { expectedStatuses: [501] });
  const json = { title: 'Not implemented', status: 501, detail: 'The upstream has no versions of people.' };
  const conditions: (string | undefined)[] = [];
  await page.route('**/manager', async (route) => {
    const condition = route.request().headers()['if-match'];
    if (route.request().method() === 'POST') conditions.push(condition);
    await (condition === undefined ? route.continue() : route.fulfill({ status: 501, json }));
  });
  await button(page, 'Change the manager').click();
  await field(page, 'StaffId of the manager').fill('S-1009');
  await button(page, 'Save').click();
  await button(page, 'Save without the check').click();
  await page.locator('form.editor').waitFor({ state: 'detached' });
  expect(conditions).toEqual([expect.stringMatching(/^".+"$/), undefined]);
  expect((await callApi(of(''))).ManagerId).toBe('S-1009');
});

test.each(staffServers)('an account without the scope admin sees no controls on %s', async (server) => {
  const { StaffKey } = await addPerson();
  const { page, panel, requests, faults } = await openPersonAs(StaffKey, {
    server,
    role: 'reader',
    expectedStatuses: [403],
  });
  await page.waitForLoadState('networkidle');
  await panel.locator('summary', { hasText: 'Pay modifiers' }).click();
  await panel.getByText('None.', { exact: true }).waitFor();
  expect(await panel.locator('.edit').count()).toBe(0);
  expect(requests.filter((url) => url.includes('roster-edit'))).toEqual([]);
  expect(faults).toEqual([]);
});
