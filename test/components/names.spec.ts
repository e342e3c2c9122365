import { noteOf } from './notes.ts';
import { expect, test } from './support.ts';

for (const lang of [undefined, 'en-XB'] as const) {
  test(`names in the row of requests are separated in the order of the interface, ${lang ?? 'en'}`, async ({
    page,
    openScene,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openScene('hostile', lang === undefined ? {} : { lang });
    const row = page.getByRole('button').filter({ hasText: 'Robin Field' });
    await expect(row).toBeVisible();
    const boxes = await row.locator('bdi').evaluateAll((elements) =>
      elements.map((element) => {
        const { left, right } = element.getBoundingClientRect();
        return { text: element.textContent ?? '', left, right };
      }),
    );
    const mixed = boxes.filter(({ text }) => /^(?:Ann Archer|שלום|Robin Field|دانا)/.test(text));
    expect(mixed).toHaveLength(4);
    for (const [index, box] of mixed.slice(1).entries()) {
      const before = mixed[index];
      if (!before) throw new Error('there is one before each but the first');
      if (lang === undefined) expect(box.left).toBeGreaterThanOrEqual(before.right);
      else expect(box.right).toBeLessThanOrEqual(before.left);
    }
  });
}

test('a name starts at the same edge as the text around it, in either direction', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openScene('many', { lang: 'en-XB' });
  await expect(page.getByText('Person 1', { exact: true })).toBeVisible();
  const gaps = await page.locator('bdi:visible').evaluateAll((elements) =>
    elements.flatMap((element) => {
      const words = document.createRange();
      words.selectNodeContents(element);
      const { right, width } = words.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return width > 0 && width < box.width ? [Math.round(box.right - right)] : [];
    }),
  );
  expect(gaps.length).toBeGreaterThan(10);
  expect(new Set(gaps)).toEqual(new Set([0]));
});

test('a name of 54 Cyrillic letters fits, and a longer one shows the excess', async ({ page, openScene }) => {
  await openScene('many', { open: '' });
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const create = page.getByRole('button', { name: 'Create group' });
  await name.fill('Группа любителей птиц и старых деревьев нашего района');
  await expect(create).toBeEnabled();
  await name.fill('🐦'.repeat(78));
  await expect(noteOf(name)).toHaveText('2 characters left');
  await name.fill('🐦'.repeat(83));
  await expect(noteOf(name)).toHaveText('Too long: 3 characters over the limit');
  await expect(create).toBeDisabled();
});

test('members with the same display name, or with the name You, are shown with their handles', async ({
  page,
  openScene,
}) => {
  await openScene('namesakes');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  await expect(chat.getByText('Ben Okafor (@ben) joined the group')).toBeVisible();
  await expect(chat.getByText('ben okafor (@ben_2) joined the group')).toBeVisible();
  await expect(chat.getByText('You (@mallory) joined the group')).toBeVisible();
  await expect(chat.getByText('You (@mallory) removed ben okafor (@ben_2)')).toBeVisible();
  await expect(chat.getByRole('article', { name: /^Message from You \(@mallory\)/ })).toBeVisible();
  await page.getByRole('button', { name: 'Details' }).click();
  const members = page.getByRole('list', { name: 'Members' });
  await expect(members.getByText('Ben Okafor (@ben)', { exact: true })).toBeVisible();
  await expect(members.getByText('ben okafor (@ben_2)', { exact: true })).toBeVisible();
  await expect(members.getByText('You (@mallory)', { exact: true })).toBeVisible();
  await expect(members.getByText('Ann Archer', { exact: true })).toBeVisible();
});

test('a mention of one of two people with the same name is announced with the handle', async ({
  page,
  openScene,
}) => {
  await openScene('namesakes');
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeFocused();
  await page.keyboard.type('@ben');
  const people = page.getByRole('listbox', { name: 'People to mention' });
  await expect(people.getByRole('option')).toHaveCount(2);
  await people.getByRole('option', { name: /@ben_2/ }).click();
  await expect(page.getByText('ben okafor (@ben_2) is mentioned')).toBeAttached();
});

test('in a group, captions, quotes, reactions and mentions have the handle beside an equal name', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openScene('namesakes');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  const article = (text: string) => chat.getByRole('article').filter({ hasText: text });
  const second = article('The second Ben.');
  await expect(second.locator('bdi', { hasText: /^ben okafor \(@ben_2\)$/ })).toBeVisible();
  await expect(second.getByRole('button', { name: /Ben Okafor \(@ben\)/ })).toBeVisible();
  await expect(second).toHaveAccessibleName(/^Message from ben okafor \(@ben_2\).*Ben Okafor \(@ben\)/);
  const short = article('I wrote this.').locator('bdi', { hasText: /^You \(@mallory\)$/ });
  const gap = await short.evaluate((element) => {
    const [name, handle] = [...element.children].map((part) => {
      const words = document.createRange();
      words.selectNodeContents(part);
      return words.getBoundingClientRect();
    });
    return (handle?.left ?? 0) - (name?.right ?? 0);
  });
  expect(gap, 'between a short name and its handle').toBeLessThan(1);
  const asked = article('Ask');
  await expect(asked.getByText('Ann Archer', { exact: true })).toBeVisible();
  await expect(asked.getByRole('button', { name: '@ben okafor (@ben_2)' })).toBeVisible();
  await expect(
    asked.getByRole('button', { name: /Ben Okafor \(@ben\) and ben okafor \(@ben_2\)/ }),
  ).toBeVisible();
  await second.getByRole('button', { name: 'API', exact: true }).click();
  await expect(page.getByText(/^According to the server, ben okafor \(@ben_2\) sent this/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'All pinned messages' }).click();
  await expect(page.getByRole('dialog').getByText('Ben Okafor (@ben)')).toBeVisible();
});

test('in the chat list and in search, an equal name has the handle, and a long name is cut before it', async ({
  page,
  openScene,
}) => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await openScene('namesakes', { open: '' });
    const row = (name: RegExp) => page.getByRole('option', { name });
    await expect(row(/^.*Ben Okafor \(@ben\)/)).toBeVisible();
    await expect(row(/^.*ben okafor \(@ben_2\)/)).toHaveCount(2);
    await expect(row(/Namesakes/)).toContainText('ben okafor (@ben_2): The second Ben.');
    for (const handle of ['(@long)', '(@long_2)']) {
      const shown = page.getByRole('option').getByText(handle);
      await expect(shown).toBeVisible();
      expect(await shown.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    }
    await page.getByRole('searchbox').fill('Ben');
    const hits = page.getByRole('list', { name: /Messages with/ });
    await expect(hits.getByText('ben okafor (@ben_2)')).toHaveCount(2);
    await expect(hits.getByText('Ben Okafor (@ben)')).toHaveCount(2);
  }
});

test('the message field of a chat has the handle beside an equal name', async ({ page, openScene }) => {
  await openScene('namesakes', { open: '2' });
  await expect(page.getByRole('textbox', { name: 'Message to Ben Okafor (@ben)' })).toBeVisible();
});
