/**
 * The app, packed by electron-builder for Linux, around a made-up Electron and with stand-ins for the programs that
 * electron-builder downloads. Nothing is fetched.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';
import { Arch, build, Platform } from 'electron-builder';
// @ts-expect-error: a script of plain JavaScript
import { programOf } from '../../scripts/project.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A stand-in for Electron for Linux, as electron-builder expects it, with the fuse wire of its binary. */
export function makeElectron(folder: string): string {
  const electron = join(folder, 'electron');
  mkdirSync(join(electron, 'resources'), { recursive: true });
  const wire = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\t101100011');
  writeFileSync(join(electron, 'electron'), wire, { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version'])
    writeFileSync(join(electron, name), '');
  return electron;
}

/** For fpm, which makes deb and rpm: keeps its input beside the package, in a folder of the same name. */
const FPM = `import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const args = process.argv.slice(2);
const value = (name) => args[args.indexOf(name) + 1];
const output = value('--package');
const contents = output + '.contents';
for (const [from, to] of args.map((each) => each.split('=')).filter(([from, to]) => from.startsWith('/') && to)) {
  cpSync(from, join(contents, to), { recursive: true });
}
for (const name of ['after-install', 'after-remove']) cpSync(value('--' + name), join(contents, name));
writeFileSync(join(contents, 'arguments.json'), JSON.stringify(args));
writeFileSync(output, 'a package of type ' + value('-t'));
`;

/** For the tool of the AppImage: the same. */
const MKSQUASHFS = `import { cpSync, writeFileSync } from 'node:fs';
const [stage, output, , offset] = process.argv.slice(2);
cpSync(stage, output + '.contents', { recursive: true });
writeFileSync(output, '\\0'.repeat(Number(offset)) + 'a file system');
`;

function writeProgram(path: string, source: string): void {
  // The shebang of env(1) accepts one argument, and a file without .mjs is CommonJS.
  writeFileSync(`${path}.mjs`, source);
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${path}.mjs' "$@"\n`);
  chmodSync(path, 0o755);
}

/** Environment variables by which electron-builder uses the stand-ins, and by which a download fails. */
function substitutes(folder: string): Record<string, string> {
  const tools = join(folder, 'tools');
  for (const path of ['lib/x64', 'runtimes']) mkdirSync(join(tools, path), { recursive: true });
  writeFileSync(join(tools, 'runtimes/runtime-x64'), 'a static runtime');
  writeFileSync(join(tools, 'desktop-file-validate'), '');
  writeProgram(join(tools, 'mksquashfs'), MKSQUASHFS);
  writeProgram(join(tools, 'fpm'), FPM);
  return {
    APPIMAGE_TOOLS_PATH: tools,
    CUSTOM_FPM_PATH: join(tools, 'fpm'),
    ELECTRON_BUILDER_BINARIES_MIRROR: 'http://127.0.0.1:1/',
  };
}

/**
 * Builds every package for Linux.
 * @param folder output folder, with `dist`; for each package a folder of that name with its contents
 */
export async function packForLinux(folder: string): Promise<string> {
  const output = join(folder, 'dist');
  const before = { ...process.env };
  Object.assign(process.env, substitutes(folder));
  try {
    await build({
      projectDir: root,
      targets: Platform.LINUX.createTarget(['AppImage', 'deb', 'rpm'], Arch.x64),
      config: { electronDist: makeElectron(folder), directories: { output } },
      publish: 'never',
    });
  } finally {
    process.env = before;
  }
  return output;
}

/**
 * A module, loaded before the app, that adds newer features to an older Electron. A person who runs the tests
 * on such an Electron names it.
 */
const SHIM = process.env.EL_SHIM;

/** The configuration of the release, for an Electron that may be older than the release's. */
function configAround(electron: string, folder: string, output: string): string {
  const shim = join(folder, 'shim');
  if (SHIM !== undefined) {
    mkdirSync(shim);
    writeFileSync(join(shim, 'shim.mjs'), readFileSync(SHIM));
    writeFileSync(join(shim, 'start.mjs'), "import './shim.mjs';\nimport './out/main/index.js';\n");
  }
  const path = join(folder, 'electron-builder.json');
  const config = {
    extends: join(root, 'electron-builder.yml'),
    afterPack: join(root, 'test/support/after-pack-around.mjs'),
    electronDist: electron,
    directories: { output },
    ...(SHIM !== undefined && { files: [{ from: shim, to: '.' }], extraMetadata: { main: 'start.mjs' } }),
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/**
 * Creates the folder of the app for Linux around an Electron, without installers.
 * @param electron the folder of its binary
 * @returns path of the app's executable
 */
export async function packAround(electron: string, folder: string): Promise<string> {
  const output = join(folder, 'dist');
  const [node, ...before]: [string, ...string[]] = programOf('electron-builder');
  // In its own process: a test runner would load the configuration's modules in its own way.
  await promisify(execFile)(
    node,
    [
      ...before,
      ...['--linux', 'dir', '--publish', 'never'],
      ...['--config', configAround(electron, folder, output)],
    ],
    { cwd: root, maxBuffer: 16 * 1024 * 1024 },
  );
  return join(output, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked', 'waxwing');
}

/**
 * Extracts the app from its archive, which only Electron can read.
 * @param resources the folder with app.asar, and the unpacked files beside it
 * @returns URL of the main process's entry
 */
export function unpackApp(resources: string, target: string): URL {
  extractAll(join(resources, 'app.asar'), target);
  return new URL('out/main/index.js', `file://${target}/`);
}
