/** Sizes of the built app, by part. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

interface Entry {
  file: string;
  name?: string;
  isEntry?: true;
  isDynamicEntry?: true;
  imports?: string[];
  css?: string[];
}

/** Files of the interface that load before it shows anything, by their path in the build. */
export interface FirstLoad {
  scripts: string[];
  styles: string[];
}

export interface Part {
  name: string;
  /** Bytes. */
  size: number;
  /** Bytes, compressed with gzip. */
  gzip: number;
}

function manifestOf(folder: string): Record<string, Entry> {
  return JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
}

/** @param folder the built interface */
export function firstLoadOf(folder: string): FirstLoad {
  const manifest = manifestOf(folder);
  const entries = Object.values(manifest).filter(({ isEntry }) => isEntry);
  const imported = entries.flatMap(({ imports = [] }) => imports.map((name) => manifest[name]?.file ?? ''));
  return {
    scripts: [...new Set([...imported, ...entries.map(({ file }) => file)])],
    styles: entries.flatMap(({ css = [] }) => css),
  };
}

/** Names of the parts that are loaded later, by their names in the build. */
const LATER: Record<string, string> = {
  compact: 'emoji',
  github: 'short names of emoji',
  decode: 'reader of QR codes',
  'zip-core-reader': 'reader of ZIP files',
};

/**
 * The first load as scripts and styles, each part that is loaded later, all fonts, and the programs of Electron and of the
 * threads.
 * @param out the build
 */
export function partsOf(out: string): Part[] {
  const folder = join(out, 'renderer');
  const { scripts, styles } = firstLoadOf(folder);
  const later = Object.values(manifestOf(folder)).filter(({ isDynamicEntry }) => isDynamicEntry);
  const fonts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.woff2'));
  const main = join(out, 'main');
  return [
    sizeOf('scripts of the first load', folder, scripts),
    sizeOf('styles of the first load', folder, styles),
    ...later.map(({ name = '', file }) => sizeOf(`${LATER[name] ?? name}, loaded later`, folder, [file])),
    sizeOf(
      'all fonts',
      folder,
      fonts.map((name) => join('assets', name)),
    ),
    sizeOf('programs of Electron and all threads', main, programs(main)),
  ];
}

const programs = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));

function sizeOf(name: string, folder: string, files: readonly string[]): Part {
  const contents = files.map((file) => readFileSync(join(folder, file)));
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  return {
    name,
    size: sum(contents.map(({ length }) => length)),
    gzip: sum(contents.map((content) => gzipSync(content).length)),
  };
}

/** React alone, drawing one element, built by the same tool in its usual way. */
export async function reactAlone(): Promise<Part> {
  const id = 'virtual:react-alone';
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, rollupOptions: { input: id } },
    plugins: [
      {
        name: 'react-alone',
        resolveId: (source) => (source === id ? `\0${id}` : null),
        load: (source) =>
          source === `\0${id}`
            ? "import { createElement } from 'react'; import { createRoot } from 'react-dom/client'; createRoot(document.body).render(createElement('p'));"
            : null,
      },
    ],
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const code = outputs.map((each) => ('code' in each ? each.code : '')).join('');
  return { name: 'React alone', size: Buffer.byteLength(code), gzip: gzipSync(code).length };
}
