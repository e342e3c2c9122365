import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withPageScript } from '../../../src/browser-host/page-script.ts';
import type { InterfaceFiles } from '../../../src/host/interface-files.ts';
import { temporaryFolder } from '../../support/engine.ts';

const PAGE = '<head>\n    <script type="module" src="/assets/index.js"></script>\n  </head>';

function filesWith(html: string): InterfaceFiles {
  return new Map([['/', { type: 'text/html; charset=utf-8', body: Buffer.from(html) }]]);
}

function writeManifest(folder: string, manifest: unknown): void {
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, '.vite', 'manifest.json'), JSON.stringify(manifest));
}

test('puts the page script and its style before the interface’s script', () => {
  using folder = temporaryFolder();
  writeManifest(folder.path, {
    '../browser-host/page/index.ts': { file: 'assets/bridge-$&.js', css: ['assets/bridge.css'] },
  });
  const files = filesWith(PAGE);
  const page = withPageScript(files, folder.path).get('/');
  expect(page?.type).toBe('text/html; charset=utf-8');
  expect(page?.body.toString()).toBe(
    [
      '<head>',
      '    <link rel="stylesheet" crossorigin href="/assets/bridge.css">',
      '    <script type="module" crossorigin src="/assets/bridge-$&.js"></script>',
      '    <script type="module" src="/assets/index.js"></script>',
      '  </head>',
    ].join('\n'),
  );
  expect(files.get('/')?.body.toString(), 'the files that were given stay as they are').toBe(PAGE);
});

test('refuses a build without the page script or its place, with the remedy', () => {
  using folder = temporaryFolder();
  const sentence = 'The build of the interface has no page script. Build it again: npm run build';
  expect(() => withPageScript(filesWith(PAGE), folder.path)).toThrow(sentence);
  writeManifest(folder.path, { '../browser-host/page/index.ts': { file: 'assets/bridge.js' } });
  expect(() => withPageScript(filesWith('<p>No script</p>'), folder.path)).toThrow(sentence);
  expect(() => withPageScript(new Map(), folder.path)).toThrow(sentence);
});
