/**
 * Builds the interface and the hosts, the page of a relay, or the pages for developers, unless the existing ones were made from
 * the same sources.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environment, programOf, root } from './project.mjs';

/** Outputs of the build: the sources, the record of them, and the command. */
const APP = {
  name: 'Waxwing',
  inputs: ['src', 'electron.vite.config.ts', 'scripts/threads.ts', 'package.json', 'package-lock.json'],
  stamp: join(root, 'out', '.built-from'),
  command: ['electron-vite', 'build', '--logLevel', 'warn'],
};
const RELAY_DOCS = {
  name: 'the relay’s page',
  inputs: [
    'src/relay-docs',
    'src/relay',
    'src/protocol',
    'docs/vectors',
    'scripts/make-relay-docs.ts',
    'package-lock.json',
  ],
  stamp: join(root, 'docs', 'relay', '.built-from'),
  command: ['node', 'scripts/make-relay-docs.ts'],
};
const PAGES = {
  name: 'the scenes and the gallery',
  inputs: ['dev', 'src', 'package.json', 'package-lock.json'],
  stamp: join(root, '.cache', 'dev-pages', '.built-from'),
  command: ['vite', 'build', '--config', 'dev/server/vite.config.ts', '--logLevel', 'warn'],
};

function* filesOf(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesOf(join(path, name));
}

function sourceHash(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of filesOf(join(root, input))) hash.update(file).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

async function make({ name, inputs, stamp, command: [tool, ...args] }) {
  const hash = sourceHash(inputs);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write(`Building ${name}.\n`);
  const [file, ...before] = programOf(tool);
  const child = spawn(file, [...before, ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  const [end, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (end !== 0) {
    process.stderr.write(
      `${end?.message ?? `${stdout}${stderr}`}\nThe build failed; what went wrong stands above.\n`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, hash);
}

/** The work that has begun. Suites that run side by side share it. */
const begun = new Map();

function makeOnce(output) {
  if (!begun.has(output)) begun.set(output, make(output));
  return begun.get(output);
}

/** Builds the app, with the page of a relay, if need be. Exits with the build's output if it fails. */
export async function build() {
  await buildRelayDocs();
  await makeOnce(APP);
}

/** Builds the page of a relay and its OpenAPI document if need be. Exits with the build's output if it fails. */
export function buildRelayDocs() {
  return makeOnce(RELAY_DOCS);
}

/** Builds what the tests of components open, if need be. Exits with the build's output if it fails. */
export function buildPages() {
  return makeOnce(PAGES);
}
