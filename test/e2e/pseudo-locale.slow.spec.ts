import { wordsIn } from '../../src/words/catalogues.ts';
import { LANGUAGE_VARIABLE } from '../../src/words/languages.ts';
import { temporaryFolder } from '../support/engine.ts';
import { expectTranslated } from './support/translated.ts';
import { expect, test } from './support/watched.ts';
import { PASSPHRASE, WaxwingProcess } from './support/waxwing.ts';

const { text: t } = wordsIn('en-XB');

test('in the pseudo-locale every screen is translated, from right to left, and nothing is cut off', async ({
  page,
}) => {
  test.slow();
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path], [], {
    WAXWING_PASSPHRASE: PASSPHRASE,
    [LANGUAGE_VARIABLE]: 'en-XB',
  });
  const known: string[] = [
    'Hi! I’m a test program. Your message arrived encrypted. You wrote:',
    'Echo',
    'echo',
    'ann',
    'https://relay.example',
    'Ctrl',
  ];
  const look = () => expectTranslated(page, known);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const fill = (label: string, text: string) =>
    page.getByRole('textbox', { name: label, exact: true }).fill(text);
  const saveSecret = async () => {
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByRole('checkbox')).toBeVisible();
    await look();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: t('common.done') }).click();
  };
  await page.goto(await app.url());

  await test.step('first run', async () => {
    await expect(page.getByRole('heading', { name: t('firstRun.welcome') })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await look();
    await page.getByRole('radio', { name: t('firstRun.serverAddress') }).check();
    await look();
    await page.getByRole('radio', { name: t('firstRun.thisComputer') }).check();
    await press(t('common.continue'));
    for (const [choice, heading] of [
      [t('firstRun.accountRecover'), t('firstRun.recover')],
      [t('firstRun.accountLink'), t('firstRun.link')],
    ] as const) {
      await page.getByRole('radio', { name: choice }).check();
      await look();
      await press(t('common.continue'));
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await look();
      await press(t('common.back'));
    }
    await page.getByRole('radio', { name: t('firstRun.accountNew') }).check();
    await press(t('common.continue'));
    const places = page.getByRole('list', { name: t('firstRun.phraseList') }).getByRole('listitem');
    await expect(places.filter({ hasText: /[a-z]/ })).toHaveCount(12);
    await look();
    const phrase = (await places.allInnerTexts()).map((place) => place.replace(/[^a-z]/g, ''));
    await page.getByRole('checkbox').check();
    await press(t('common.continue'));
    await look();
    for (const [index, word] of phrase.entries()) {
      const label = t('firstRun.confirmWord', { place: index + 1 });
      const field = page.getByRole('textbox', { name: label, exact: true });
      if (await field.isVisible()) await field.fill(word);
    }
    await press(t('firstRun.confirmAction'));
    await look();
    await page.getByRole('textbox', { name: t('firstRun.handle') }).fill('ann');
    await expect(page.getByText(t('firstRun.handleFree', { handle: '@ann' }))).toBeVisible();
    await look();
    await press(t('firstRun.profileAction'));
  });

  await test.step('the main window, a chat and the panel of a contact', async () => {
    await expect(page.getByRole('heading', { name: t('chats.empty') })).toBeVisible();
    await look();
    await press(t('chats.sayHello'));
    await expect(page.getByText(t('chat.encryptedGroup'))).toHaveCount(0);
    await look();
    await page.getByRole('textbox', { name: t('chat.messageTo', { chat: 'Echo' }) }).fill('12345');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('article')).toHaveCount(2);
    await press(t('chat.details'));
    await expect(page.getByRole('heading', { name: t('people.devices'), exact: true })).toBeVisible();
    await look();
    await press(t('people.verify'));
    await look();
    await press(t('people.noMatchAddress'));
    await expect(page.getByRole('heading', { name: t('people.noMatchAddress') })).toBeVisible();
    await look();
    await press(t('people.compareAgain'));
    await press(t('people.match'));
    await expect(page.getByRole('heading', { name: t('people.match') })).toBeVisible();
    await look();
    await press(t('common.done'));
    await press(t('chat.deleteChat'));
    await look();
    await press(t('common.cancel'));
    await press(t('people.closeDetails'));
  });

  await test.step('a new chat, and the command palette', async () => {
    await press(t('chats.newChat'));
    await expect(page.getByRole('heading', { name: t('people.known') })).toBeVisible();
    await look();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(page.getByPlaceholder(t('app.paletteField'))).toBeVisible();
    await look();
    await page.getByPlaceholder(t('app.paletteField')).fill('%');
    await look();
    await page.keyboard.press('Escape');
  });

  await test.step('groups: a new one, its panel, people and a bot token', async () => {
    await press(t('chats.groups'));
    await expect(page.getByText(t('groups.none'))).toBeVisible();
    await look();
    await press(t('groups.new'));
    await look();
    await fill(t('groups.name'), '12345');
    await page.getByRole('radio', { name: t('groups.whoPassword') }).check();
    await look();
    await fill(t('groups.password'), '12345');
    await press(t('groups.create'));
    await expect(page.getByRole('heading', { name: '12345' })).toBeVisible();
    await press(t('chat.details'));
    await expect(page.getByRole('heading', { name: t('groups.tokens') })).toBeVisible();
    await look();
    for (const name of [t('groups.edit'), t('groups.whoChange'), t('groups.leave')]) {
      await press(name);
      await look();
      await press(t('common.cancel'));
    }
    await press(t('groups.add'));
    await look();
    await page.keyboard.press('Escape');
    await fill(t('groups.tokenName'), '12345');
    await press(t('groups.tokenCreate'));
    await saveSecret();
    await press(t('common.revoke'));
    await look();
    await press(t('common.cancel'));
    await press(t('people.closeDetails'));
  });

  await test.step('settings, an API key and a code for another computer', async () => {
    await press(t('chats.settings'));
    const section = async (name: string) => {
      const list = page.getByRole('dialog').getByRole('navigation');
      await list.getByRole('button', { name, exact: true }).click();
    };
    await section(t('settings.devices'));
    const devices = page.getByRole('list', { name: t('settings.devicesList') });
    await expect(devices.getByRole('listitem')).toHaveCount(1);
    await look();
    for (const [name, where] of [
      [t('settings.passphraseChange'), t('settings.privacy')],
      [t('settings.wipe'), t('settings.storage')],
    ] as const) {
      await section(where);
      await press(name);
      await look();
      await press(t('common.cancel'));
    }
    await section(t('settings.api'));
    await press(t('settings.apiUnlock'));
    await look();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('settings.apiUnlock') })
      .click();
    await press(t('settings.keyNew'));
    await look();
    await fill(t('settings.keyName'), '12345');
    await press(t('settings.keyCreate'));
    await saveSecret();
    for (const name of [t('common.revoke'), t('settings.apiLock')]) {
      await press(name);
      await look();
      await press(t('common.cancel'));
    }
    await section(t('settings.devices'));
    await press(t('settings.link'));
    await look();
    await fill(t('settings.linkCode'), '12345');
    await look();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  await test.step('the lock', async () => {
    await page.keyboard.press('Control+l');
    await expect(page.getByRole('heading', { name: t('lock.locked') })).toBeVisible();
    await look();
    await fill(t('lock.passphrase'), '12345');
    await page.keyboard.press('Enter');
    await expect(page.getByText(t('lock.wrong'))).toBeVisible();
    await look();
    await press(t('lock.forgot'));
    await fill(t('lock.newPassphrase'), '12345');
    await look();
  });
});
