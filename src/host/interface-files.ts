/** The built interface, read once into memory: a request can only name a file of this map. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { Settings } from '../bridge/settings.ts';
import { type Language, languages } from '../words/languages.ts';

export interface InterfaceFile {
  /** Media type. */
  type: string;
  body: Buffer;
}

/** Files by their path in a URL; the page itself is `/`. */
export type InterfaceFiles = ReadonlyMap<string, InterfaceFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Reads a build of the interface.
 * @param folder output of `npm run build`: out/renderer
 * @param language of the page, read by its scripts and by screen readers
 * @throws Failure
 */
export function readInterfaceFiles(folder: string, language: Language): InterfaceFiles {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Failure('interface_missing');
  }
  const files = new Map<string, InterfaceFile>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(path)];
    const file = join(folder, path);
    if (type === undefined || !statSync(file).isFile()) continue;
    const url = path === 'index.html' ? '/' : `/${path.replaceAll('\\', '/')}`;
    const body = readFileSync(file);
    files.set(url, { type, body: url === '/' ? inLanguage(body, language) : body });
  }
  return files;
}

/** The page with the person's appearance, so that it is right at the first paint. */
export function inAppearance(
  { type, body }: InterfaceFile,
  { theme, textSize, density }: Pick<Settings, 'theme' | 'textSize' | 'density'>,
): InterfaceFile {
  const attributes = `data-theme="${theme}" data-text-size="${textSize}" data-density="${density}"`;
  return { type, body: Buffer.from(body.toString('utf8').replace('<html ', `<html ${attributes} `)) };
}

function inLanguage(page: Buffer, language: Language): Buffer {
  const root = `<html lang="${language}" dir="${languages[language]}">`;
  return Buffer.from(page.toString('utf8').replace('<html lang="en">', root));
}
