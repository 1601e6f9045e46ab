import { describe, expect, inject, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { bearerOf, countShown, filterShown, openRoster } from './roster-page.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();
const { urls, credentials } = inject('servers');

describe('the panel of a person', () => {
  test('shows every field, tags with their dates and skills by day, loaded when it is opened', async () => {
    const { page, faults } = await openRoster(browser());
    const reads: string[] = [];
    page.on('request', (request) => request.method() === 'GET' && reads.push(request.url()));
    await page.fill('#text', 's-1009');
    await expect.poll(() => countShown(page)).toBe('1 person');
    await page.locator('#people .name').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('LastModifiedDateUtc').waitFor();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('person-name');
    const text = String(await panel.textContent());
    const { body } = await readPerson('S-1009');
    for (const [name, value] of Object.entries(body)) {
      if (!Array.isArray(value)) expect(text, name).toContain(name);
    }
    const order = ['FirstName', 'StaffId', 'StaffKey'].map((name) => text.indexOf(`${name}${body[name]}`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    for (const { Tags } of body.Tags) for (const { Name } of Tags) expect(text).toContain(Name);
    expect(text).toMatch(/since \d{4}-\d\d-\d\d/);
    expect(await panel.locator('.grid tbody tr').count()).toBe(body.Skillset.length);
    const asked = () => reads.filter((url) => /(location|payModifier|badgeId|requestlimit)/.test(url)).length;
    expect(asked()).toBe(0);
    for (const [i, title] of ['Locations', 'Pay modifiers', 'Badges', 'Request limits'].entries()) {
      await panel.locator('summary', { hasText: title }).click();
      await expect.poll(asked).toBe(i + 1);
    }
    await panel.locator('.item').first().waitFor();
    await expect.poll(() => panel.locator('.requests li').count()).toBe(5);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('name');
    expect(faults).toEqual([]);
  });

  test('links a tag to all people who have it', async () => {
    const { page } = await openRoster(browser());
    await page
      .locator('#people tr', { has: page.locator('.chip') })
      .first()
      .locator('.name')
      .click();
    const chip = page.locator('#person .chip').first();
    const tag = String(await chip.textContent());
    await chip.click();
    await expect.poll(() => filterShown(page)).toContain(`t/Name eq '${tag}'`);
    expect(await page.locator('#person').isVisible()).toBe(false);
    expect(await page.locator('#tag option:checked').textContent()).toBe(tag);
  });

  // biome-ignore lint/suspicious/noExplicitAny: the contract is checked elsewhere.
  async function readPerson(staffId: string): Promise<{ body: any }> {
    const headers = await bearerOf('scheduling');
    const query = new URLSearchParams({ companyKey: credentials.COMPANY_KEY, $filter: `StaffId eq '${staffId}'` });
    const url = `${urls.scheduling}/v2/staffmember`;
    const [{ StaffKey }] = (await (await fetch(`${url}?${query}`, { headers })).json()) as [{ StaffKey: string }];
    const includes = 'Tags,Skillset,Profiles,AvailableProfiles,BadgeIds';
    const response = await fetch(`${url}/${encodeURIComponent(StaffKey)}?includes=${includes}`, { headers });
    return { body: await response.json() };
  }
});
