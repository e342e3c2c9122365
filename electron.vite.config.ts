/**
 * One build for all hosts: Electron's main and preload, the renderer, and the browser host's page script; and the
 * library for bots, by the TypeScript compiler. Builds without Electron's binary.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { THREADS } from './scripts/threads.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Makes out/client of src/client: what `import … from 'waxwing'` finds. */
const library = {
  name: 'library',
  closeBundle() {
    const compiler = [path('node_modules/typescript/bin/tsc'), '-p', path('src/client/tsconfig.build.json')];
    // Not by its name: on Windows only a shell starts that, and a shell takes a path with a space apart.
    execFileSync(process.execPath, compiler, { stdio: 'inherit' });
  },
};

/**
 * Packages that become part of the build: many small modules, which each thread would find and read again. The others have native
 * code, or load files of their own by name.
 */
const BUNDLED = [
  '@noble/hashes',
  '@noble/post-quantum',
  '@scure/bip32',
  '@scure/bip39',
  'aws4fetch',
  'birpc',
  'htmlparser2',
  'intl-messageformat',
  'micro-eth-signer',
  'zod',
];

export default defineConfig({
  main: {
    plugins: [library],
    build: {
      outDir: 'out/main',
      externalizeDeps: { exclude: BUNDLED },
      rollupOptions: {
        input: {
          index: path('src/main/index.ts'),
          ...Object.fromEntries(Object.entries(THREADS).map(([name, source]) => [name, path(source)])),
        },
        // Each thread reads its program when it starts, and a fifth of it would be comments. Those with licences stay.
        output: { comments: { legal: true, jsdoc: false } },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // The sandbox loads a preload as one CommonJS file.
      externalizeDeps: false,
      rollupOptions: {
        input: path('src/preload/index.ts'),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: path('src/renderer'),
    plugins: [react(), tailwindcss()],
    build: {
      outDir: path('out/renderer'),
      emptyOutDir: true,
      manifest: true,
      // Inlined data URLs would need a wider content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Not the default of electron-vite: the page compiles all of it before it shows anything.
      minify: true,
      rollupOptions: {
        input: {
          index: path('src/renderer/index.html'),
          'browser-bridge': path('src/browser-host/page/index.ts'),
        },
        output: {
          // Licences of packages.
          comments: { legal: true },
          // Stacks in the log have the names of the sources.
          minify: { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } },
        },
      },
    },
  },
});
