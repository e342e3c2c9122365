/**
 * The app as a page in headless Chromium, with its host and engine on a generated history: start, opening a chat, typing,
 * receiving, memory, and size. Each is a ratio to an empty page in the same Chromium, or to an empty Node process.
 *
 *   node bench/app.ts [messages of the large chat] [messages to receive]
 */
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
// @ts-expect-error: a script of plain JavaScript
import { build } from '../scripts/build.mjs';
// @ts-expect-error: a script of plain JavaScript
import { chromium as findChromium } from '../scripts/chromium.mjs';
import { keepCompiledCode } from '../test/support/compiled-code.ts';
import { inChromium } from '../test/support/in-chromium.ts';
import { firstLoadOf } from './support/app/bundle.ts';
import { Rounds, reportAll } from './support/app/figures.ts';
import { memoryAlone, memoryOf, metricOf } from './support/app/memory.ts';
import { PreparedApp } from './support/app/prepared-app.ts';
import {
  message,
  openApp,
  openPage,
  rememberedChat,
  startApp,
  startNode,
  timeToOpen,
} from './support/app/running-app.ts';
import { serveStaticPages } from './support/app/static-pages.ts';
import { median, residentMemory } from './support/process.ts';
import { isSmoke, Report, sizeOf } from './support/report.ts';

const LARGE = sizeOf(0, 2_000, 100);
const RECEIVED = sizeOf(1, 3_000, 20);
const SMALL = 20;
const HISTORY = isSmoke ? 500 : 20_000;
const STARTS = isSmoke ? 1 : 7;
const PROCESS_STARTS = isSmoke ? 1 : 3;
const OPENINGS = isSmoke ? 1 : 15;
const TYPINGS = isSmoke ? 1 : 5;
const TYPED = 'The quick brown fox jumps over the lazy dog, twice. ';
/** Milliseconds between two keys: no one types faster. */
const KEY_PAUSE = 40;
const MIB = 2 ** 20;
const ROOT = { selector: '#root', text: '' };

keepCompiledCode();
const executablePath = findChromium();
if (executablePath === null) process.exit(1);
await build();
const out = fileURLToPath(new URL('../out', import.meta.url));
const load = firstLoadOf(`${out}/renderer`);

await using resources = new AsyncDisposableStack();
const pages = resources.use(await serveStaticPages(`${out}/renderer`, load));
const prepared = resources.use(await PreparedApp.make({ history: HISTORY, large: LARGE, small: SMALL }));
const report = new Report(
  'The app in headless Chromium with a generated history, beside an empty page and an empty Node process',
);

const rounds = new Rounds();
const add = (name: string, value: number) => rounds.add(name, value);
/** Received messages a second since a time. */
const perSecond = (begin: number) => (RECEIVED * 1000) / (performance.now() - begin);

for (let round = 0; round < PROCESS_STARTS; round++) {
  const { app, time } = await startApp(prepared);
  await app.stop();
  const node = await startNode();
  add('process', time);
  add('node process', node.time);
  add('node memory', residentMemory(node.child) / 1024);
  node.child.kill();
}

const browser = await chromium.launch({ ...inChromium.launchOptions, executablePath, handleSIGTERM: false });
resources.defer(() => browser.close());
const { app } = await startApp(prepared);
resources.defer(() => app.stop());
add('engine idle', residentMemory(app) / 1024);

await measureStarts(browser);
const { page } = await openApp(browser, app, null, null);
for (const [name, value] of [
  ['idle', await memoryOf(page)],
  ['empty', await memoryAlone(executablePath, pages.empty)],
] as const) {
  add(`heap ${name}`, value.heap / MIB);
  add(`page ${name}`, value.process / 1024);
}
for (let round = 0; round < OPENINGS; round++) {
  add('open small', await timeToOpen(page, prepared.small));
  add('open large', await timeToOpen(page, prepared.large));
}
await measureTyping(browser, page);
await page.context().close();
await measureReceiving(browser);

async function measureStarts(browser: Browser): Promise<void> {
  const first = await openApp(browser, app, null, null);
  await timeToOpen(first.page, prepared.large);
  const remembered = await rememberedChat(first.page);
  await first.page.context().close();
  for (let round = 0; round < STARTS; round++) {
    for (const [name, url] of [
      ['empty', pages.empty],
      ['same bytes', pages.sameBytes],
    ] as const) {
      const { page, times } = await openPage(browser, url, [ROOT]);
      add(name, times[0] ?? Number.NaN);
      await page.context().close();
    }
    const { page, times } = await openApp(browser, app, prepared.large, remembered);
    add('list', times[0] ?? Number.NaN);
    add('chat', times[1] ?? Number.NaN);
    await page.context().close();
  }
}

/** Types into the large chat, which is open, and into a bare field, in turns. */
async function measureTyping(browser: Browser, page: Page): Promise<void> {
  const { page: bare } = await openPage(browser, pages.field, [{ selector: 'textarea', text: '' }]);
  const fields = { app: page.getByRole('textbox', { name: /^Message to/ }), bare: bare.locator('textarea') };
  const all = { app: page, bare };
  for (let round = 0; round < TYPINGS; round++) {
    for (const name of ['bare', 'app'] as const) {
      const [typed, field] = [all[name], fields[name]];
      const session = await typed.context().newCDPSession(typed);
      await field.fill('');
      await field.focus();
      await typed.evaluate(() => window.meter.keys.splice(0));
      const before = await metricOf(session, 'TaskDuration');
      await typed.keyboard.type(TYPED, { delay: KEY_PAUSE });
      const work = (await metricOf(session, 'TaskDuration')) - before;
      const keys = await typed.evaluate(() => window.meter.keys.splice(0));
      add(`key ${name}`, median(keys));
      add(`work ${name}`, (work * 1000) / TYPED.length);
      await session.detach();
    }
  }
  await fields.app.fill('');
  await bare.context().close();
}

async function longestFrame(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => window.meter.beginFrames());
  await work();
  return Math.max(0, ...(await page.evaluate(() => window.meter.endFrames())));
}

/** Receives into the open chat, and then beside an empty page. */
async function measureReceiving(browser: Browser): Promise<void> {
  const { page } = await openApp(browser, app, null, null);
  await timeToOpen(page, prepared.large);
  const last = await prepared.sendUnreceived(RECEIVED);
  const frame = await longestFrame(page, async () => {
    const begin = await prepared.receiveAll();
    await page.evaluate((shown) => window.meter.drawn(shown), message(last));
    add('rate open', perSecond(begin));
  });
  add('frame open', frame);
  await measureLoaded(page);
  await page.context().close();
  const { page: empty } = await openPage(browser, pages.empty, [ROOT]);
  await prepared.sendUnreceived(RECEIVED);
  const frameBeside = await longestFrame(empty, async () =>
    add('rate alone', perSecond(await prepared.receiveAll())),
  );
  add('frame empty', frameBeside);
  await empty.context().close();
}

async function measureLoaded(page: Page): Promise<void> {
  const { heap, process } = await memoryOf(page);
  add('heap loaded', heap / MIB);
  add('page loaded', process / 1024);
  add('engine loaded', residentMemory(app) / 1024);
}

await reportAll(report, rounds, { large: LARGE, small: SMALL, received: RECEIVED }, out);
report.finish();
