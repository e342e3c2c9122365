/**
 * Content of strangers in real Chromium under the production policy: shown as text, without scripts and requests.
 */
import { hostileAttachments } from '../support/hostile-attachments.ts';
import { directBody, forge, targetOf } from '../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../support/hostile-relay/proxy.ts';
import { newPerson } from '../support/person.ts';
import { App } from './support/app.ts';
import { firstRun, messageTexts } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

const BAD = 'document.title=`stolen`';
const MARKUP = [
  `<script>${BAD}</script>`,
  `<img src=x onerror="${BAD}">`,
  `<img src="http://127.0.0.1:9/pixel.png">`,
  `<svg onload="${BAD}"><animate onbegin="${BAD}"/></svg>`,
  `<iframe srcdoc="<script>parent.${BAD}</script>"></iframe>`,
  `<iframe src="javascript:${BAD}"></iframe>`,
  `<a href="javascript:${BAD}">click</a>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${BAD}>`,
  `"><body onload=${BAD}>`,
  `<link rel="stylesheet" href="http://127.0.0.1:9/x.css"><style>@import "http://127.0.0.1:9/y.css"</style>`,
  `<object data="http://127.0.0.1:9/o"></object><embed src="http://127.0.0.1:9/e">`,
  `<base href="http://127.0.0.1:9/"><form action="http://127.0.0.1:9/"><input autofocus onfocus=${BAD}></form>`,
  `{{constructor.constructor('${BAD}')()}}`,
  `\`</code><script>${BAD}</script>\``,
  `**<img src=x onerror=${BAD}>**`,
  `\u202e<script>${BAD}</script>\u202c`,
  `<noscript><p title="</noscript><img src=x onerror=${BAD}>">`,
];
const LINKS = [
  `javascript:${BAD}`,
  `JaVaScRiPt:${BAD}`,
  'java\tscript:alert(1)',
  `data:text/html,<script>${BAD}</script>`,
  'file:///etc/passwd',
  'file://server/share/x.png',
  '\\\\server\\share\\x.png',
  'smb://server/share',
  'ms-msdt:/id PCWDiagnostic',
  'vbscript:msgbox(1)',
  'waxwing:contact/0x00',
  'blob:https://example.org/x',
  'https://user:password@example.org/',
  'https://example.org/ok',
  'mailto:somebody@example.org',
];

test('V1, V2, V6, V7, V8, C2, C11, C12: hostile texts and attachments run nothing and load nothing; only web and mail links are links', async ({
  browser,
  mayComplain,
}) => {
  await using hostile = await HostileRelay.start();
  await using ann = new App(await (await browser.newContext()).newPage(), hostile.url);
  const { page } = ann;
  const requests: string[] = [];
  page.on('dialog', (dialog) => void dialog.dismiss());
  await ann.start();
  const { origin } = new URL(page.url());
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('blob:'))
      requests.push(request.url());
  });
  await firstRun(page, 'ann');

  const dora = await newPerson(hostile.relay);
  await hostile.relay.call('putHandle', { token: dora.token, body: { handle: 'dora' } });
  await hostile.relay.call('putProfile', {
    token: dora.token,
    body: { displayName: MARKUP[1]?.slice(0, 60) },
  });
  const { body: found } = await hostile.relay.call('getHandle', {
    token: dora.token,
    params: { handle: 'ann' },
  });
  const target = await targetOf(hostile, dora.token, found.address);
  const texts = [...MARKUP, ...LINKS];
  for (const text of texts) {
    const body = directBody(dora.address, target.address, text);
    hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, dora.signer));
  }
  const attachments = hostileAttachments(dora.address, target.address);
  for (const attachment of attachments) {
    const body = { ...attachment, fallback: `Dora sent a file. ${MARKUP[1]}` };
    hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, dora.signer));
  }
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('button', { name: /Message requests/ }).click();
  await page
    .getByRole('option', { name: /onerror|0x/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(page.getByRole('article').first()).toBeVisible();

  const links = new Set<string>();
  await test.step('every text can be read', async () => {
    const seen = new Set<string>();
    const box = await page.getByRole('article').last().boundingBox();
    await page.mouse.move((box?.x ?? 600) + 5, 400);
    await expect
      .poll(async () => {
        for (const text of await messageTexts(page)) seen.add(text);
        // Only rows near the window are in the page.
        for (const link of await page.locator('article [role=link]').all()) {
          links.add((await link.getAttribute('data-link').catch(() => null)) ?? '');
        }
        expect(await page.locator('article a').count(), 'the browser has no address').toBe(0);
        await page.mouse.wheel(0, 300);
        return seen.has(texts.at(-1) ?? '');
      })
      .toBe(true);
    expect(seen.size).toBeGreaterThanOrEqual(texts.length - 2);
    expect([...seen].join('\n')).toContain('<script>');
  });

  await test.step('only addresses for a browser or a mail program are links', () => {
    links.delete('');
    for (const href of links) expect(href).toMatch(/^(?:https|mailto):/);
    expect([...links].join()).not.toContain('password@');
    expect(links).toContain('https://example.org/ok');
  });

  await test.step('an unknown attachment is marked as from a newer version', async () => {
    const newer = page.getByRole('article').filter({ hasText: 'Update Waxwing to see this message.' });
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 600);
        return newer.count();
      })
      .toBeGreaterThan(5);
    for (const article of await newer.all()) {
      await expect(article).not.toContainText(/escaped|base64|alert/);
      expect(await article.locator('a, [role=link], img, [src], [href], [download]').count()).toBe(0);
    }
  });

  await test.step('the names of people and groups are plain text', async () => {
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await page.getByRole('button', { name: 'New group', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`<img src=x onerror=${BAD}>`);
    await page.getByRole('textbox', { name: 'Description' }).fill(MARKUP.join(' ').slice(0, 900));
    await page.getByRole('button', { name: 'Create group' }).click();
    await expect(page.getByRole('heading', { name: /<img src=x/ })).toBeVisible();
    await page.getByRole('button', { name: 'Details' }).click();
    await expect(page.getByText(/<svg onload=/)).toBeVisible();
  });

  expect(await page.title()).toMatch(/Waxwing$/);
  expect(requests).toEqual([]);
  expect(
    await page
      .locator('article :is(script, img, iframe, svg[onload], object, embed, form, style, link)')
      .count(),
  ).toBe(0);

  await test.step('the content security policy stops injected content', async () => {
    mayComplain(/Content Security Policy|requires 'Trusted|Refused to|ERR_BLOCKED_BY_CSP/);
    const { thrown, title } = await page.evaluate(async () => {
      const waiting = new Set(['img-src', 'frame-src', 'connect-src']);
      const blocked = new Promise<void>((resolve) =>
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          waiting.delete(effectiveDirective);
          if (waiting.size === 0) resolve();
        }),
      );
      const make = (name: string, attributes: Record<string, string>) => () => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        document.body.append(element);
      };
      const script = document.createElement('script');
      const tries = [
        make('img', { src: 'http://127.0.0.1:9/pixel.png' }),
        make('iframe', { src: 'http://127.0.0.1:9/' }),
        make('script', { src: 'http://127.0.0.1:9/x.js' }),
        make('iframe', { srcdoc: '<script>parent.document.title = "stolen"</script>' }),
        () => {
          script.textContent = 'document.title = "stolen"';
          document.body.append(script);
        },
        () => {
          document.body.innerHTML += '<b>markup</b>';
        },
        () => Reflect.get(globalThis, 'eval')('document.title = "stolen"'),
        () => fetch('http://127.0.0.1:9/').catch(() => undefined),
      ];
      // The debugger's own call, which ends here, may evaluate texts.
      await new Promise((resolve) => setTimeout(resolve));
      let thrown = 0;
      for (const attempt of tries) {
        try {
          attempt();
        } catch {
          thrown++;
        }
      }
      await blocked;
      return { thrown, title: document.title };
    });
    expect(title).not.toContain('stolen');
    // Trusted Types refuse scripts and markup made of texts before they are inserted.
    expect(thrown).toBeGreaterThanOrEqual(4);
  });
});
