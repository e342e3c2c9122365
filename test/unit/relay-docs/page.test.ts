import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { PAGE_FILES, readPageFile } from '../../../src/relay/docs/page-files.ts';
import { fillInHtml, fillInJson, PLACEHOLDERS } from '../../../src/relay/docs/placeholders.ts';
import { makeRelayDocs } from '../../../src/relay-docs/index.ts';
import { temporaryFolder } from '../../support/engine.ts';

const docs = makeRelayDocs(['/protocol.md', '/vectors/sealing.json']);
const page = docs[PAGE_FILES.page] ?? '';
const openApi = docs[PAGE_FILES.openApi] ?? '';
/** Special characters of HTML, of JSON and of replacements, and the other placeholder. */
const NAME = `</title><script>alert(1)</script> "'\\\n$& $1 ${PLACEHOLDERS.url}`;
const relay = { name: NAME, url: new URL('https://chat.test:8443/path') };

test('the page has the name and URL of its relay, as text', () => {
  const filled = fillInHtml(page, relay);
  const [, title = ''] = /<title>(.*?): API<\/title>/s.exec(filled) ?? [];
  const read = title.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  expect(read).toBe(NAME);
  expect(filled.match(/<script>/g)).toHaveLength(1);
  expect(filled).toContain('enter <code>https://chat.test:8443</code> as the server');
  expect(filled).toContain('WAXWING_RELAY=<span class="string">&#34;https://chat.test:8443&#34;</span>');
  expect(filled).not.toContain(PLACEHOLDERS.name);
});

test('the tables of limits have plain headings', () => {
  const [, limits = ''] = /<section id="limits">(.*?)<\/section>/s.exec(page) ?? [];
  const headings = [...limits.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, heading]) => heading);
  expect(headings).toEqual([
    ...['Limit', 'Value', 'Applies to'],
    ...['Name', 'At once', 'Per second, on average', 'Applies to'],
  ]);
});

test('style and script of the page have the hashes of its policy, with any name', () => {
  const filled = fillInHtml(page, relay);
  for (const element of ['style', 'script']) {
    const [, content = ''] = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(filled) ?? [];
    expect(content.length).toBeGreaterThan(100);
    const digest = hash('sha256', content, 'base64');
    expect(docs[PAGE_FILES.policy]).toContain(`${element}-src 'sha256-${digest}'`);
  }
});

test('the OpenAPI document has the name and URL of its relay, with any characters', () => {
  const { info, servers } = JSON.parse(fillInJson(openApi, relay));
  expect(info).toMatchObject({ title: NAME, contact: { name: NAME, url: 'https://chat.test:8443' } });
  expect(servers).toEqual([{ url: 'https://chat.test:8443' }]);
});

test('signed examples keep the relay that their signatures name, and a note explains this', () => {
  expect(fillInHtml(page, relay)).toContain('relay.example wants you to sign in');
  expect(page).toContain('The relay of the examples is <code>relay.example</code>');
  const document = JSON.parse(fillInJson(openApi, relay));
  expect(document.info.description).toContain('The relay of the examples is `relay.example`');
  expect(JSON.stringify(document)).toContain('"domain":"relay.example"');
});

test('files that were not built are reported as missing, and too large ones are not read', () => {
  using folder = temporaryFolder();
  const place = pathToFileURL(`${folder.path}/`);
  expect(readPageFile('page', place)).toBeNull();
  writeFileSync(join(folder.path, PAGE_FILES.page), page);
  expect(readPageFile('page', place)).toBe(page);
  writeFileSync(join(folder.path, PAGE_FILES.page), Buffer.alloc(4 * 1024 * 1024 + 1, 'x'));
  expect(() => readPageFile('page', place)).toThrow('page.html has 4194305 bytes');
});

test('the package of the app contains these files', () => {
  const root = new URL('../../../', import.meta.url);
  const names = Object.keys(docs);
  expect(names).toEqual(Object.values(PAGE_FILES));
  expect(readFileSync(new URL('electron-builder.yml', root), 'utf8')).toContain(
    `  - docs/relay/{${names.join(',')}}\n`,
  );
});
