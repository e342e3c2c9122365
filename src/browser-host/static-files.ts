/**
 * The built interface, read once into memory: a request can name a file of this map and nothing else.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface StaticFile {
  type: string;
  body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The name of the page script's entry in the build's manifest. */
const PAGE_SCRIPT = '../browser-host/page/index.ts';

/** The interface was not built, or by another version. The message is a sentence for the person. */
export class StaticFilesError extends Error {
  override readonly name = 'StaticFilesError';
}

/**
 * Reads a build of the interface. Its page gets the script that makes `window.waxwing`, before its own.
 * @param folder what `npm run build` writes: out/renderer
 * @returns files by their path in a URL
 * @throws StaticFilesError
 */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const manifestPath = join(folder, '.vite', 'manifest.json');
  if (!existsSync(manifestPath)) {
    throw new StaticFilesError('The interface is not built yet. Build it with: npm run build');
  }
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, { file: string }>;
  const script = manifest[PAGE_SCRIPT]?.file;
  if (script === undefined)
    throw new StaticFilesError('The built interface has no page script. Build it again: npm run build');

  const files = new Map<string, StaticFile>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(path)];
    const file = join(folder, path);
    if (type === undefined || !statSync(file).isFile()) continue;
    files.set(`/${path.replaceAll('\\', '/')}`, { type, body: readFileSync(file) });
  }
  const page = files.get('/index.html');
  if (!page) throw new StaticFilesError('The built interface has no page. Build it again: npm run build');
  // Module scripts run in the order in which they stand.
  const html = page.body
    .toString('utf8')
    .replace(
      '<script type="module"',
      `<script type="module" crossorigin src="/${script}"></script>\n    <script type="module"`,
    );
  files.set('/', { type: page.type, body: Buffer.from(html) });
  files.delete('/index.html');
  return files;
}
