/**
 * Makes the icons in build/ from the interface's: `WAXWING_CHROMIUM=/usr/bin/chromium node scripts/make-icons.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';

const root = new URL('../', import.meta.url);
const seal = readFileSync(new URL('src/renderer/public/icon.svg', root), 'utf8');

type Mood = 'idle' | 'unread' | 'offline';

/** macOS draws these in the colours of its panel, from their opacity alone. */
const template = { seal: '#000', dot: '#000' };
const coloured = { seal: '#d8482f', dot: '#f0b83a' };

/** The seal's outline with the bird cut out of it, for panels of any colour. A dot marks unread messages; pale is offline. */
function silhouette(mood: Mood, colours: typeof template): string {
  const paths = [...seal.matchAll(/<path fill="[^"]+" d="([^"]+)"/g)].map(([, path]) => path);
  const [outline, ...bird] = paths;
  const cut = bird.map((path) => `<path fill="#000" d="${path}"/>`).join('');
  const hasDot = mood === 'unread';
  const gap = hasDot ? '<circle cx="38" cy="10" r="12" fill="#000"/>' : '';
  const dot = hasDot ? `<circle cx="38" cy="10" r="9" fill="${colours.dot}"/>` : '';
  const opacity = mood === 'offline' ? 0.45 : 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">
    <mask id="cut"><path fill="#fff" d="${outline}"/>${cut}${gap}</mask>
    <rect width="48" height="48" fill="${colours.seal}" fill-opacity="${opacity}" mask="url(#cut)"/>${dot}</svg>`;
}

/** On the button in the taskbar of Windows. */
const badge =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#d8482f" stroke="#fff" stroke-width="1.5"/></svg>';

/** Sizes in pixels: panels are 16 high on macOS, and scale down from 32 elsewhere. */
const trayIcons = (['idle', 'unread', 'offline'] as const).flatMap((mood) => {
  const suffix = { idle: '', unread: '-unread', offline: '-offline' }[mood];
  const name = { idle: 'tray', unread: 'trayUnread', offline: 'trayOffline' }[mood];
  return [
    { file: `tray/tray${suffix}.png`, svg: silhouette(mood, coloured), size: 32 },
    { file: `tray/tray${suffix}@2x.png`, svg: silhouette(mood, coloured), size: 64 },
    { file: `tray/${name}Template.png`, svg: silhouette(mood, template), size: 16 },
    { file: `tray/${name}Template@2x.png`, svg: silhouette(mood, template), size: 32 },
  ];
});

/** Edges in pixels: a folder of icons for Linux, and what the two containers hold. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const icons = [
  { file: 'icon.png', svg: seal, size: 1024 },
  ...SIZES.map((size) => ({ file: `icons/${size}x${size}.png`, svg: seal, size })),
  ...trayIcons,
  { file: 'tray/badge.png', svg: badge, size: 16 },
  { file: 'tray/badge@2x.png', svg: badge, size: 32 },
];

/** An ICO file of PNGs, as Windows has read them since Vista: a header, a directory, then the images. */
function ico(images: { size: number; png: Buffer }[]): Buffer {
  const header = Buffer.from([0, 0, 1, 0, images.length, 0]);
  const directory = Buffer.alloc(16 * images.length);
  let position = header.length + directory.length;
  images.forEach(({ size, png }, index) => {
    const entry = directory.subarray(16 * index);
    // A byte holds no 256; 0 stands for it.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(position, 12);
    position += png.length;
  });
  return Buffer.concat([header, directory, ...images.map(({ png }) => png)]);
}

/** Apple's names for a PNG of a size in an ICNS file; those of double resolution have names of their own. */
const ICNS_TYPES = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic13', 256],
  ['ic09', 512],
  ['ic14', 512],
  ['ic10', 1024],
] as const;

function icns(pngOf: (size: number) => Buffer): Buffer {
  const chunk = (type: string, ...parts: Buffer[]) => {
    const data = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(data.length + 8, 4);
    return Buffer.concat([head, data]);
  };
  return chunk('icns', ...ICNS_TYPES.map(([type, size]) => chunk(type, pngOf(size))));
}

for (const folder of ['tray', 'icons']) mkdirSync(new URL(`build/${folder}`, root), { recursive: true });
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

const pngOf = (size: number) => readFileSync(new URL(`build/icons/${size}x${size}.png`, root));
const small = SIZES.filter((size) => size <= 256).map((size) => ({ size, png: pngOf(size) }));
writeFileSync(new URL('build/icon.ico', root), ico(small));
writeFileSync(new URL('build/icon.icns', root), icns(pngOf));
