/**
 * Makes the icons in build/ from the interface's: `WAXWING_CHROMIUM=/usr/bin/chromium node scripts/make-icons.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';

const root = new URL('../', import.meta.url);
const seal = readFileSync(new URL('src/renderer/public/icon.svg', root), 'utf8');

/** The seal's outline with the bird cut out of it: one colour, for panels of any. The dot tells of unread messages. */
function silhouette(hasDot: boolean): string {
  const paths = [...seal.matchAll(/<path fill="[^"]+" d="([^"]+)"/g)].map(([, path]) => path);
  const [outline, ...bird] = paths;
  const cut = bird.map((path) => `<path fill="#000" d="${path}"/>`).join('');
  const gap = hasDot ? '<circle cx="38" cy="10" r="12" fill="#000"/>' : '';
  const dot = hasDot ? '<circle cx="38" cy="10" r="9" fill="#f0b83a"/>' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">
    <mask id="cut"><path fill="#fff" d="${outline}"/>${cut}${gap}</mask>
    <rect width="48" height="48" fill="#d8482f" mask="url(#cut)"/>${dot}</svg>`;
}

const icons = [
  { file: 'icon.png', svg: seal, size: 1024 },
  ...[false, true].flatMap((hasDot) => {
    const name = hasDot ? 'tray-unread' : 'tray';
    return [
      { file: `tray/${name}.png`, svg: silhouette(hasDot), size: 32 },
      { file: `tray/${name}@2x.png`, svg: silhouette(hasDot), size: 64 },
    ];
  }),
];

mkdirSync(new URL('build/tray', root), { recursive: true });
const executablePath = process.env.WAXWING_CHROMIUM;
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  // Containers and root have no user namespaces to build Chromium's sandbox in.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
for (const { file, svg, size } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  writeFileSync(new URL(`build/${file}`, root), png);
}
await browser.close();
