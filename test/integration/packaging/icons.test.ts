import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const build = new URL('../../../build/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, build));

/** Width and height by a PNG's header (RFC 2083, 4.1.1); throws for any other file. */
function sizeOf(png: Buffer): string {
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

const sizes = ['16', '24', '32', '48', '64', '128', '256', '512', '1024'].map((size) => `${size}x${size}`);

test('each icon for Linux has the size in its name', () => {
  const names = readdirSync(new URL('icons', build));
  expect(names.sort()).toEqual(sizes.map((size) => `${size}.png`).sort());
  for (const name of names) expect(`${sizeOf(read(`icons/${name}`))}.png`).toBe(name);
});

test('the icon of Windows has every size up to 256 pixels', () => {
  const ico = read('icon.ico');
  expect([...ico.subarray(0, 4)]).toEqual([0, 0, 1, 0]);
  const found = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = ico.subarray(6 + 16 * index);
    const start = entry.readUInt32LE(12);
    const size = sizeOf(ico.subarray(start, start + entry.readUInt32LE(8)));
    expect(size).toBe(`${entry[0] || 256}x${entry[1] || 256}`);
    return size;
  });
  expect(found).toEqual(sizes.slice(0, 7));
});

test('the icon of macOS has every size up to 1024 pixels, also for double resolution', () => {
  const icns = read('icon.icns');
  expect(icns.toString('latin1', 0, 4)).toBe('icns');
  expect(icns.readUInt32BE(4)).toBe(icns.length);
  const found: string[] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
    const png = icns.subarray(at + 8, at + icns.readUInt32BE(at + 4));
    found.push(`${icns.toString('latin1', at, at + 4)} ${sizeOf(png)}`);
  }
  expect(found).toEqual([
    'icp4 16x16',
    'icp5 32x32',
    'ic11 32x32',
    'ic12 64x64',
    'ic07 128x128',
    'ic08 256x256',
    'ic13 256x256',
    'ic09 512x512',
    'ic14 512x512',
    'ic10 1024x1024',
  ]);
});
