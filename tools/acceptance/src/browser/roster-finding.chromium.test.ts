import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { typeText } from './open-page.ts';
import {
  bearerOf,
  countShown,
  filterShown,
  listRequests,
  nameOf,
  namesShown,
  openRoster,
  sendShownRequest,
  tokenOf,
} from './roster-page.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();
const { urls } = inject('servers');

describe('finding people', () => {
  test('by words of name, StaffId and e-mail, with one request per pause in typing', async () => {
    const { page, requests, faults } = await openRoster(browser());
    const before = listRequests(requests).length;
    await typeText(page, '#text', "o'neil");
    await expect.poll(() => countShown(page)).toMatch(/^\d{1,2} (person|people)$/);
    const names = await namesShown(page);
    expect(names.every((name) => name.includes("O'Neil"))).toBe(true);
    expect(listRequests(requests)).toHaveLength(before + 1);
    expect(await filterShown(page)).toContain("contains(tolower(LastName),'o''neil')");
    await page.fill('#text', 's-1007');
    await expect.poll(() => countShown(page)).toBe('1 person');
    expect(await page.locator('#people .id-cell').textContent()).toBe('S-1007');
    expect(faults).toEqual([]);
  });

  test('by tag and by category, among all tags of the company', async () => {
    const { page, faults } = await openRoster(browser());
    const groups = await page
      .locator('#tag optgroup')
      .evaluateAll((all) => all.map((one) => one.getAttribute('label')));
    expect(groups).toEqual(expect.arrayContaining(['Employment', 'Language', 'Seniority', 'Specialty', 'Team']));
    await page.selectOption('#tag', { label: 'Cardiology' });
    await expect.poll(() => filterShown(page)).toContain("c/CategoryName eq 'Specialty'");
    const rows = await page.locator('#people tr').count();
    expect(rows).toBeGreaterThan(5);
    expect(await page.locator('#people tr', { hasText: 'Cardiology' }).count()).toBe(rows);
    await page.selectOption('#tag', { label: 'Any Team' });
    await expect.poll(() => filterShown(page)).toBe("Tags/any(c:c/CategoryName eq 'Team')");
    await namesShown(page);
    expect(await page.locator('#people tr', { hasText: 'Team' }).count()).toBe(25);
    expect(faults).toEqual([]);
  });

  test('by skill and day, with a mark for each weekday', async () => {
    const { page } = await openRoster(browser());
    await page.selectOption('#skill', 'ICU Night');
    await page.selectOption('#day', 'Sun');
    await expect.poll(() => filterShown(page)).toContain("s/TaskName eq 'ICU Night' and s/IsSkilledSun eq true");
    const { value } = await sendShownRequest(page, await bearerOf('scheduling'));
    expect(await namesShown(page)).toEqual(value.map(nameOf));
    const label = await page
      .locator('#people .skills li', { hasText: 'ICU Night' })
      .first()
      .locator('.week')
      .getAttribute('aria-label');
    expect(label).toMatch(/Sun|every day/);
  });

  test('only active people; clearing the filter shows everyone', async () => {
    const { page } = await openRoster(browser());
    const count = async () => Number(String(await countShown(page)).replaceAll(/\D/g, ''));
    const all = await count();
    await page.check('#active');
    await expect.poll(() => filterShown(page)).toBe('IsActive eq true');
    await namesShown(page);
    expect(await count()).toBeLessThan(all);
    expect(await page.locator('#people .state-cell', { hasText: 'Inactive' }).count()).toBe(0);
    await page.click('#clear');
    // Other tests may add people meanwhile.
    await expect.poll(count).toBeGreaterThanOrEqual(all);
    expect(await filterShown(page)).toBeNull();
    expect(await page.isChecked('#active')).toBe(false);
  });

  test('says so when no person matches', async () => {
    const { page } = await openRoster(browser());
    await page.fill('#text', 'nobody-is-called-this');
    await page.getByText('No matches. Try fewer words').waitFor();
    await expect.poll(() => page.locator('#said').textContent()).toBe('No matches.');
  });
});

describe('the table', () => {
  test('pages through the list on the server and shows the position', async () => {
    const { page, requests } = await openRoster(browser());
    const first = await namesShown(page);
    expect(await page.isDisabled('#previous')).toBe(true);
    await page.click('#next');
    await expect.poll(() => page.locator('#part').textContent()).toMatch(/^26–50 of /);
    expect((await namesShown(page)).join()).not.toBe(first.join());
    expect(new URL(String(listRequests(requests).at(-1))).searchParams.get('$skip')).toBe('25');
    await page.click('#previous');
    await expect.poll(() => namesShown(page)).toEqual(first);
    await page.selectOption('#size', '10');
    await expect.poll(() => page.locator('#part').textContent()).toMatch(/^1–10 of /);
  });

  test('is ordered by a column in both directions', async () => {
    const { page } = await openRoster(browser());
    const ids = () => page.locator('#people .id-cell').allTextContents();
    const head = page.getByRole('columnheader', { name: 'StaffId' });
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    expect((await ids())[0]).toBe('S-1001');
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    const descending = await ids();
    expect(descending).toEqual(descending.toSorted().reverse());
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('none');
  });

  test('shows names as text, regardless of their content', async () => {
    const [FirstName, StaffId] = ['<img src=x onerror=alert(1)><script>alert(2)</script>', `new-${randomUUID()}`];
    // Sorted last: another test may compare two readings of the first people.
    const LastName = `Zulu"'&<b>${StaffId}</b>`;
    const headers = { ...(await bearerOf('scheduling')), 'Content-Type': 'application/json' };
    const body = JSON.stringify({ StaffId, FirstName, LastName });
    const made = await fetch(`${urls.scheduling}/v2/staffmember`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    const { page, faults } = await openRoster(browser());
    await page.fill('#text', StaffId);
    await expect.poll(() => namesShown(page)).toEqual([`${FirstName} ${LastName}`]);
    await page.locator('#people .name').click();
    await page.waitForSelector('#person dl');
    expect(await page.locator('#person-name').textContent()).toBe(`${FirstName} ${LastName}`);
    expect(await page.locator('main :is(img, script), #person :is(img, script), .name *, #person-name *').count()).toBe(
      0,
    );
    expect(faults).toEqual([]);
  });

  test('uses only valid colours of a person, with readable letters', async () => {
    const { page, faults } = await openRoster(browser());
    const colours = [
      { BgColor: 'red;}*{display:none', TextColor: '#FFFFFF' },
      { BgColor: '#fe0', TextColor: 'FFFFFF' },
      { BgColor: '#102030', TextColor: '#FFEEDD' },
    ];
    await page.route('**/v2/staffmember?**', async (route) => {
      const reply = await route.fetch();
      const body = await reply.json();
      const value = colours.map((own, i) => ({ ...body.value[i], ...own }));
      await route.fulfill({ response: reply, json: { ...body, value } });
    });
    await page.click('#next');
    await page.waitForSelector('#people tr:nth-child(3):last-child');
    const styles = await page
      .locator('#people .avatar')
      .evaluateAll((all) => all.map((it) => it.getAttribute('style')));
    expect(styles).toEqual([
      null,
      expect.stringMatching(/255, 238, 0\).*color: rgb\(0, 0, 0\)/),
      expect.stringMatching(/16, 32, 48\).*color: rgb\(255, 238, 221\)/),
    ]);
    expect(faults).toEqual([]);
  });
});

test('the CSV button downloads all people that the filters find, in the shown order', async () => {
  const { page, faults } = await openRoster(browser());
  // Other tests give people another skill meanwhile.
  await page.selectOption('#skill', 'ICU Day');
  await expect.poll(() => filterShown(page)).toContain('ICU Day');
  await namesShown(page);
  const total = Number.parseInt(String(await countShown(page)).replaceAll(',', ''), 10);
  expect(total).toBeGreaterThan(25);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('roster.csv');
  const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toMatch(/StaffKey,StaffId/);
  expect(rows).toHaveLength(total);
  const ids = await page.locator('#people .id-cell').allTextContents();
  expect(ids.filter((id, i) => !String(rows[i]).includes(id))).toEqual([]);
  expect(faults).toEqual([]);
});

describe('the shown request', () => {
  test('can be copied as a shell command without the token', async () => {
    const { page } = await openRoster(browser(), 'scheduling', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.fill('#text', "o'b");
    await expect.poll(() => filterShown(page)).toContain("'o''b'");
    const names = await namesShown(page);
    expect(await page.locator('#request-shown').isVisible()).toBe(false);
    await page.locator('#request > summary').click();
    // From before the click, because the word stays for two seconds.
    const copied = page.locator('#request-shown').getByText('Copied').waitFor();
    await Promise.all([copied, page.locator('#request-shown').getByRole('button', { name: 'Copy curl' }).click()]);
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    const env = { ...process.env, TOKEN: await tokenOf('scheduling') };
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
    expect(JSON.parse(stdout).value.map(nameOf)).toEqual(names);
  });

  test('has method, path, decoded options, status, time and length', async () => {
    const { page } = await openRoster(browser());
    await page.selectOption('#day', 'Sat');
    await expect.poll(() => page.locator('#request-shown .readable').textContent()).toContain('IsSkilledSat eq true)');
    expect(await page.locator('#request-shown .readable').textContent()).toMatch(/^GET \/v2\/staffmember\?companyKey=/);
    expect(await page.locator('#request-outcome').textContent()).toMatch(/^200 \d+ ms · [\d.]+ k?B$/);
    await page.locator('#log summary').first().click();
    expect(await page.locator('#log-list > li').count()).toBeGreaterThanOrEqual(3);
  });
});
