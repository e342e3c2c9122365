/** Export of a chat as web pages with its files. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeZip } from 'client-zip';
import { expectAccessible, expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { temporaryFolder } from '../support/engine.ts';
import { readZip } from '../support/zip.ts';
import { chooseChanged } from './files.ts';
import { answerDelayed, delay, expect, test, untilDelayed } from './support.ts';

test('a chat is exported with its files, and opens as a page without a network', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Export chat…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export chat' });
  await expect(dialog).toContainText('isn’t encrypted');
  await expectWhole(page);
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Waxwing .*\.zip$/);
  await expect(page.getByText('Chat exported')).toBeVisible();
  await expect(dialog).toBeHidden();

  using folder = temporaryFolder();
  for (const [name, bytes] of readZip(readFileSync(await download.path()))) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  const records = readFileSync(join(folder.path, 'messages.jsonl'), 'utf8').trimEnd().split('\n');
  expect(records.length).toBeGreaterThan(5);
  for (const record of records) expect(JSON.parse(record)).toHaveProperty('type');

  const reader = await page.context().newPage();
  await reader.goto(pathToFileURL(join(folder.path, 'messages.html')).href);
  await expect(reader.locator('article').first()).toBeVisible();
  const picture = reader.locator('img').first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

test('files that are deleted during an export are left out', async ({ page, openScene }) => {
  await openScene('files', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Export chat…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export chat' });
  await delay(page, 'files.open');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await untilDelayed(page);
  const download = page.waitForEvent('download');
  await page.evaluate(async () => {
    const { calls } = window.waxwing;
    const listed = await calls['messages.list']({ conversationId: '1', limit: 100 });
    if (!listed.ok) throw new Error('no messages');
    const ids = listed.value.messages.filter(({ files }) => files.length > 0).map(({ id }) => id);
    await calls['messages.delete']({ ids, forEveryone: false });
  });
  await answerDelayed(page);
  const names = [...readZip(readFileSync(await (await download).path())).keys()];
  expect(names).toEqual(['messages.html', 'messages.jsonl']);
});

test('an exported chat is imported, and any other file is refused with the failing line', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '' });
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Storage' }).click();
  const choose = settings.getByRole('button', { name: 'Choose file…' });
  await expect(choose).toBeVisible();
  await expectWhole(page);
  const importOf = async (content: string | Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.click()]);
    await chooser.setFiles([
      { name: 'messages.jsonl', mimeType: 'application/json', buffer: Buffer.from(content) },
    ]);
  };
  await importOf('PK\u0003\u0004');
  await expect(page.getByText('This ZIP file isn’t from an exported chat')).toBeVisible();
  const zipped = makeZip([
    { name: 'messages.html', input: '<p>' },
    { name: 'messages.jsonl', input: '{"type":"account"}\n{"type":"message"}\n' },
  ]);
  await importOf(Buffer.from(await new Response(zipped).arrayBuffer()));
  await expect(page.getByText('1 message imported')).toBeVisible();
  await importOf('{"type":"account"}\n{"type":"message"}\nnot JSON');
  await expect(
    page.getByText('Line 3 isn’t from an exported chat. The lines before it are imported.'),
  ).toBeVisible();
  await importOf('');
  await expect(
    page.getByText('Line 1 isn’t from an exported chat. Choose the ZIP file of an export'),
  ).toBeVisible();
  await importOf(`{"type":"account"}\n${'{"type":"message","text":"é"}\n'.repeat(250)}\n\r\n\n`);
  await expect(page.getByText('250 messages imported')).toBeVisible();
});

test('the failure of an import is shown until the next choice', async ({ page, openScene }) => {
  await openScene('actions', { open: '' });
  const settings = await openSettings(page, 'Storage');
  const picker = settings.getByLabel('Import a chat');
  const alert = settings.getByRole('alert');
  await picker.setInputFiles({ name: 'a.jsonl', mimeType: '', buffer: Buffer.from('not JSON') });
  await expect(alert).toHaveText(/^Line 1 isn’t from an exported chat\./);
  await expectWhole(page);
  await chooseChanged(picker, test.info().outputPath('changed.jsonl'));
  await expect(alert).toHaveText(
    'This file changed after you chose it, or it can’t be opened. Choose it again.',
  );
  await chooseChanged(picker, test.info().outputPath('removed.jsonl'), rmSync);
  await expect(alert).toHaveText(
    'This file can’t be read. Connect its disk again, then choose the file again.',
  );
  const buffer = Buffer.from('{"type":"account"}\n{"type":"message"}\n');
  await picker.setInputFiles({ name: 'b.jsonl', mimeType: '', buffer });
  await expect(page.getByText('1 message imported')).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test('a ZIP file with damaged records is reported as damaged', async ({ page, openScene }) => {
  await openScene('actions', { open: '' });
  const settings = await openSettings(page, 'Storage');
  const record = '{"type":"message"}\n';
  const importDamaged = async (input: string, place: string, by: string) => {
    const zipped = makeZip([{ name: 'messages.jsonl', input }]);
    const bytes = Buffer.from(await new Response(zipped).arrayBuffer());
    const at = bytes.indexOf(place);
    expect(at).toBeGreaterThan(0);
    bytes.write(by, at);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      settings.getByRole('button', { name: 'Choose file…' }).click(),
    ]);
    await chooser.setFiles([{ name: 'chat.zip', mimeType: 'application/zip', buffer: bytes }]);
  };
  await importDamaged('{"type":"account"}', 'account', 'A');
  await expect(page.getByText(/or it is damaged or encrypted\. Nothing was imported/)).toBeVisible();
  // Longer than the pieces in which a file is read.
  const many = record.repeat(20_000);
  await importDamaged(`{"type":"account"}\n${record}{"type":"message","x":1}\n${many}`, '"x"', '?');
  await expect(
    page.getByText('This ZIP file is damaged from line 3 on. The lines before it are imported.'),
  ).toBeVisible();
  await importDamaged(`{"type":"account"}\n${many}{"type":"message","text":"x"}\n`, '"x"', '"y"');
  await expect(page.getByText(/damaged from line [\d,]{5,} on/)).toBeVisible();
  await importDamaged(`{"type":"account"}\n${record}no record\n`, 'no record', 'no record');
  await expect(page.getByText('Line 3 isn’t from an exported chat.')).toBeVisible();
});
