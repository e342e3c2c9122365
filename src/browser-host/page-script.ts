/** Inserts the script for `window.waxwing` into the page, before the interface's own. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { InterfaceFiles } from '../host/interface-files.ts';

/** The page script's entry in the build's manifest. */
const ENTRY = '../browser-host/page/index.ts';

const MODULE = '<script type="module"';

interface ManifestEntry {
  file: string;
  css?: string[];
}

/**
 * The files of the interface with this host's page.
 * @param folder of the build and its manifest
 * @throws Failure if the build has no page script, or its page has no place for it
 */
export function withPageScript(files: InterfaceFiles, folder: string): InterfaceFiles {
  const path = join(folder, '.vite', 'manifest.json');
  const manifest = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, ManifestEntry>)
    : {};
  const entry = manifest[ENTRY];
  const page = files.get('/');
  const html = page?.body.toString('utf8') ?? '';
  if (!entry || !page || !html.includes(MODULE)) {
    throw new Failure('page_script_missing');
  }
  const styles = (entry.css ?? [])
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">\n    `)
    .join('');
  const script = `<script type="module" crossorigin src="/${entry.file}"></script>\n    `;
  // Module scripts run in document order.
  const body = Buffer.from(html.replace(MODULE, () => `${styles}${script}${MODULE}`));
  return new Map(files).set('/', { type: page.type, body });
}
