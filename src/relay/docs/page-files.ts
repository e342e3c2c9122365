/**
 * The relay's page and its OpenAPI document: files that scripts/make-relay-docs.ts makes when a package is built, and
 * that every package contains.
 */
import { readFileSync, statSync } from 'node:fs';
import { packageFolder } from './package-folder.ts';

export const PAGE_FILES = {
  page: 'page.html',
  /** The content security policy of the page. */
  policy: 'page-policy.txt',
  openApi: 'openapi.json',
} as const;

/** The most bytes of one file. The page has about 350,000. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The folder of the files, in each package beside protocol.md. */
export function pageFolder(): URL {
  return new URL('docs/relay/', packageFolder());
}

/**
 * The text of a file, or null if it was not built.
 * @throws Error if it is too large to be one of ours
 */
export function readPageFile(file: keyof typeof PAGE_FILES, folder = pageFolder()): string | null {
  const place = new URL(PAGE_FILES[file], folder);
  const bytes = statSync(place, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) return null;
  if (bytes > MAX_BYTES) throw new Error(`${PAGE_FILES[file]} has ${bytes} bytes`);
  return readFileSync(place, 'utf8');
}
