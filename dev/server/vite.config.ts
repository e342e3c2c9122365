/**
 * Configuration of scenes and gallery: served, with hot reload, and built for the tests of components.
 */
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

export default defineConfig({
  root: path('dev'),
  publicDir: path('src/renderer/public'),
  plugins: [react(), tailwindcss()],
  server: {
    host: '127.0.0.1',
    cors: false,
    fs: { strict: true, allow: ['dev', 'src', 'node_modules'].map(path) },
  },
  build: {
    // Not in out/, which is packed.
    outDir: path('.cache/dev-pages'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rollupOptions: { input: ['index', 'scene', 'gallery'].map((name) => path(`dev/${name}.html`)) },
  },
});
