/**
 * C8, V2: before a link of a message is opened, the person sees where it leads, and nothing is opened by accident.
 */
import type { Page } from '@playwright/test';
import { expectWhole } from './support/accessible.ts';
import { DesktopPage } from './support/desktop-page.ts';
import { firstRun, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

/** The first letter is Cyrillic. */
const DISGUISED = 'https://аpple.com/sign-in?next=https://apple.com/#here';
const PLAIN = `https://example.org:8443/${'a-long-way/'.repeat(60)}end`;
const MAIL = 'mailto:ann@example.org?cc=eve@example.org&subject=hello';

const question = (page: Page) => page.getByRole('alertdialog');
const linkTo = (page: Page, text: string) =>
  page.getByRole('article', { name: /Message from Echo/ }).getByRole('link', { name: text, exact: true });

test('C8, V2: a link opens only after its exact address was shown', async ({ page, context }) => {
  const opened: string[] = [];
  // No request leaves the computer; each attempt is recorded.
  await context.route(/^https:/, (route) => {
    opened.push(route.request().url());
    return route.fulfill({ body: 'somewhere else', contentType: 'text/plain' });
  });
  await using desktop = new DesktopPage();
  await page.goto(await desktop.start());
  await firstRun(page, 'ann');
  await page
    .getByRole('button', { name: /Say hello to @echo/ })
    .first()
    .click();
  await send(page, `${DISGUISED} ${PLAIN} ${MAIL}`);
  await expect(linkTo(page, MAIL)).toBeVisible();

  await test.step('a lookalike name is shown as it is', async () => {
    await linkTo(page, DISGUISED).click();
    await expect(question(page).getByRole('region', { name: 'Address' })).toHaveText(
      'https://xn--pple-43d.com/sign-in?next=https://apple.com/#here',
    );
    await expect(question(page).locator('strong')).toHaveText('xn--pple-43d.com');
    await expect(question(page)).toContainText('This address may imitate another site.');
    await expectWhole(page);
  });

  await test.step('Cancel has the focus, and returns to the link', async () => {
    await expect(question(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question(page)).toBeHidden();
    await expect(linkTo(page, DISGUISED)).toBeFocused();
  });

  await test.step('every way of opening a link asks', async () => {
    for (const options of [
      { button: 'middle' },
      { modifiers: ['ControlOrMeta'] },
      { modifiers: ['Shift'] },
    ] as const) {
      await linkTo(page, DISGUISED).click(options as Parameters<ReturnType<typeof linkTo>['click']>[0]);
      await expect(question(page)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(question(page)).toBeHidden();
    }
    await linkTo(page, DISGUISED).press('Enter');
    await expect(question(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question(page)).toBeHidden();
    expect(context.pages()).toHaveLength(1);
    expect(opened).toEqual([]);
  });

  await test.step('by keyboard a long address is read to its end and opened exactly', async () => {
    await linkTo(page, PLAIN).press('Enter');
    const address = question(page).getByRole('region', { name: 'Address' });
    await expect(address).toHaveText(PLAIN);
    await expect(question(page).locator('strong')).toHaveText('example.org:8443');
    await expectWhole(page);
    await page.keyboard.press('Shift+Tab');
    await expect(address).toBeFocused();
    await page.keyboard.press('End');
    await expect
      .poll(() => address.evaluate((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 1))
      .toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(question(page).getByRole('link', { name: 'Open in browser' })).toBeFocused();
    const [other] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
    await expect(question(page)).toBeHidden();
    await expect.poll(() => opened).toEqual([PLAIN]);
    expect(await other.evaluate(() => [document.referrer, String(window.opener)])).toEqual(['', 'null']);
    await other.close();
  });

  await test.step('a mail link shows its recipients', async () => {
    await linkTo(page, MAIL).click();
    await expect(question(page)).toHaveAccessibleName('Write to this address?');
    await expect(question(page).getByRole('region', { name: 'Address' })).toHaveText(MAIL);
    await expect(question(page).locator('strong')).toHaveText('ann@example.org');
    await expect(question(page)).toContainText('more recipients');
    await expect(question(page).getByRole('link', { name: 'Open mail program' })).toHaveAttribute(
      'href',
      MAIL,
    );
    await expectWhole(page);
    await question(page).getByRole('button', { name: 'Cancel' }).click();
  });
});
