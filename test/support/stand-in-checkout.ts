/**
 * A checkout in a folder with a hostile name, with the real scripts and stand-ins for everything that they run: npm, the
 * tools, Electron, and the command. Each stand-in records its arguments.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryFolder } from './engine.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOOLS = {
  '@biomejs/biome': 'biome',
  'electron-builder': 'electron-builder',
  'electron-vite': 'electron-vite',
  knip: 'knip',
};

/** Arguments of a stand-in. */
export interface Call {
  name: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** Simulated facts about the machine. */
export interface Belief {
  platform?: NodeJS.Platform;
  uid?: number;
}

export class StandInCheckout implements Disposable {
  readonly #folder = temporaryFolder();
  /** Path of the checkout. */
  // The path that a process reports for its own folder: the temporary folder is a link on macOS, and a short
  // name on Windows.
  readonly path = join(realpathSync.native(this.#folder.path), "a b & c's");
  readonly #log = join(this.#folder.path, 'calls');
  /** First on the PATH. */
  readonly #programs = join(this.#folder.path, 'programs');

  constructor() {
    cpSync(join(ROOT, 'scripts'), join(this.path, 'scripts'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json', 'electron.vite.config.ts'])
      copyFileSync(join(ROOT, file), join(this.path, file));
    this.#write('src/cli/waxwing.ts', this.#noting('waxwing'));
    // Sources of a relay's page, and the script that makes it.
    for (const folder of ['src/relay-docs', 'src/relay', 'src/protocol', 'docs/vectors'])
      this.#write(`${folder}/source.txt`, '');
    this.#write(
      'scripts/make-relay-docs.ts',
      "import { mkdirSync } from 'node:fs';\nmkdirSync('docs/relay', { recursive: true });\n",
    );
    // Installs: the packages that the scripts request from npm then exist.
    this.#write(
      'npm/bin/npm-cli.js',
      `${this.#noting('npm')}(await import('node:fs')).mkdirSync('node_modules', { recursive: true });`,
    );
    this.#write('npm/package.json', '{"type":"module"}');
    this.#writeProgram('npm', join(this.path, 'npm/bin/npm-cli.js'));
  }

  /** As after an installation: with tools and a Node. */
  install(): this {
    for (const [owner, name] of Object.entries(TOOLS)) this.#addTool(owner, name, this.#noting(name));
    this.#addTool('typescript', 'tsc', this.#noting('tsc'));
    // The scripts record the sources of a build in out/.
    this.#addTool(
      'electron-vite',
      'electron-vite',
      `${this.#noting('electron-vite')}(await import('node:fs')).mkdirSync('out', { recursive: true });`,
    );
    const bin = join(this.path, 'node_modules/node/bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['node', 'node.exe']) {
      if (process.platform === 'win32') linkOrCopy(process.execPath, join(bin, name));
      else symlinkSync(process.execPath, join(bin, name));
    }
    return this;
  }

  /** Puts a shell script in Electron's place. */
  addElectron(script: string): this {
    const electron = 'node_modules/electron';
    this.#write(`${electron}/path.txt`, 'electron');
    this.#write(`${electron}/dist/chrome-sandbox`, '');
    const binary = join(this.path, electron, 'dist/electron');
    const noting = this.#write('electron.mjs', this.#noting('electron'));
    writeFileSync(binary, `#!/bin/sh\n${quoted(process.execPath)} ${quoted(noting)} "$@"\n${script}\n`);
    chmodSync(binary, 0o755);
    return this;
  }

  /** Replaces Electron's installer with a script of Node. */
  addElectronInstaller(script: string): this {
    this.#write('node_modules/electron/package.json', '{"type":"module"}');
    this.#write('node_modules/electron/install.js', `${this.#noting('install')}${script}`);
    return this;
  }

  /** Puts a shell script before a program of the system. */
  addProgram(name: string, script: string): this {
    mkdirSync(this.#programs, { recursive: true });
    writeFileSync(join(this.#programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return this;
  }

  /** Runs a script to its end, and returns its output and the started programs. */
  run(script: string, args: string[], env: Record<string, string> = {}, belief: Belief = {}) {
    const calls = existsSync(this.#log) ? this.#calls().length : 0;
    const { platform = process.platform, uid } = belief;
    const preload = this.#write(
      'belief.mjs',
      `Object.defineProperty(process, 'platform', { value: ${JSON.stringify(platform)} });\n` +
        (uid === undefined ? '' : `process.getuid = () => ${uid};\n`),
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', pathToFileURL(preload).href, join(this.path, 'scripts', script), ...args],
      {
        cwd: this.path,
        encoding: 'utf8',
        env: {
          ...process.env,
          // Set where npm has started the tests.
          npm_lifecycle_event: undefined,
          npm_execpath: join(this.path, 'npm/bin/npm-cli.js'),
          PATH: this.#programs + delimiter + process.env.PATH,
          // The folder of temporary files on Windows.
          TEMP: this.#folder.path,
          ...env,
        },
      },
    );
    return { status, stdout, stderr, calls: existsSync(this.#log) ? this.#calls().slice(calls) : [] };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  #calls(): Call[] {
    return readFileSync(this.#log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  #noting(name: string): string {
    return `const { appendFileSync } = await import('node:fs');
const { env } = process;
const call = { name: ${JSON.stringify(name)}, args: process.argv.slice(2), cwd: process.cwd(), env };
appendFileSync(${JSON.stringify(this.#log)}, JSON.stringify(call) + '\\n');
`;
  }

  #addTool(owner: string, name: string, source: string): void {
    const manifest = { type: 'module', bin: { [name]: 'bin/tool.js' } };
    this.#write(`node_modules/${owner}/package.json`, JSON.stringify(manifest));
    this.#write(`node_modules/${owner}/bin/tool.js`, source);
  }

  #writeProgram(name: string, file: string): void {
    this.addProgram(name, `exec ${quoted(process.execPath)} ${quoted(file)} "$@"`);
  }

  #write(path: string, text: string): string {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }
}

/** For sh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // It is on another disk.
    copyFileSync(from, to);
  }
}
