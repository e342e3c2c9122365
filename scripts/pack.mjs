/**
 * `npm run pack`: makes the npm package, dist/waxwing-<version>.tgz, and prints its place. It holds the library, the command and the relay
 * with their types; the app is not in it. How it is published stands in docs/releasing.md.
 *
 * Its package.json is generated: that of the repository names what the app needs, too. The dependencies are those that
 * the files import, in the versions of the repository.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { environment, programOf, root } from './project.mjs';
import { setUp } from './setup.mjs';

const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Folder of the tarball, and of the package's files. */
const destination = resolve(process.argv[2] ?? join(root, 'dist'));
const folder = join(destination, 'package');
const lib = join(folder, 'lib');
const COMMAND = 'cli/packaged.js';
const MODULES = { '.': 'client/index', './relay': 'relay/index' };
/** The first Node that has what the package uses. */
const OLDEST_NODE = { major: 22, minor: 12 };
const NODE_CHECK = 'node-check.js';

/** Packages that are used if they have a build for the system. They are loaded by `require`, which no import shows. */
const OPTIONAL = ['sodium-native'];

/** Files beside the code. */
const COPIES = [
  ['LICENSE', 'LICENSE'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
  ['scripts/package/README.md', 'README.md'],
  // Documents served by a relay. It also serves docs/relay, which is made for the package.
  ['docs/protocol.md', 'docs/protocol.md'],
  ['docs/vectors', 'docs/vectors'],
];

/**
 * Makes the package's folder and packs it.
 * @returns {Promise<string>} path of the tarball
 */
async function pack() {
  rmSync(folder, { recursive: true, force: true });
  const config = join(root, 'scripts/package/tsconfig.json');
  runTool('tsc', ['-p', config, '--outDir', lib, '--singleThreaded'], root);
  for (const file of compiledFiles()) nameThreadsAsCompiled(file);
  const imported = await importsOf([
    COMMAND,
    ...Object.values(MODULES).flatMap((module) => [`${module}.js`, `${module}.d.ts`]),
  ]);
  for (const file of compiledFiles()) if (!imported.files.has(file)) rmSync(file);
  checkNodeFirst([COMMAND, ...Object.values(MODULES).map((module) => `${module}.js`)]);
  for (const [from, to] of COPIES) cpSync(join(root, from), join(folder, to), { recursive: true });
  runTool('node', [join(root, 'scripts/make-relay-docs.ts'), join(folder, 'docs/relay')], root);
  chmodSync(join(lib, COMMAND), 0o755);
  const manifest = `${JSON.stringify(manifestWith(imported.packages), null, 2)}\n`;
  writeFileSync(join(folder, 'package.json'), manifest);
  const [packed] = JSON.parse(runTool('npm', ['pack', '--json', '--pack-destination', destination], folder));
  return join(destination, packed.filename);
}

/** The package.json, with the packages that the files import as its dependencies. */
function manifestWith(packages) {
  const { name, version, homepage, license } = project;
  const dependencies = [...packages].sort().map((dependency) => {
    const known = project.dependencies[dependency];
    if (known === undefined) throw new Error(`${dependency} is imported, but is not among the dependencies`);
    return [dependency, known];
  });
  return {
    name,
    version,
    description: 'End-to-end encrypted messages for programs: a library, a command, and the relay.',
    homepage,
    license,
    type: 'module',
    bin: { waxwing: `lib/${COMMAND}` },
    exports: {
      ...Object.fromEntries(
        Object.entries(MODULES).map(([path, module]) => [
          path,
          { types: `./lib/${module}.d.ts`, default: `./lib/${module}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    engines: { node: `>=${OLDEST_NODE.major}.${OLDEST_NODE.minor}` },
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, project.dependencies[name]])),
  };
}

/**
 * Everything that modules need: the files, and the names of packages.
 * @param {readonly string[]} entries paths below lib
 */
async function importsOf(entries) {
  const { parseSync } = await import('vite');
  const files = new Set();
  const packages = new Set();
  const queue = entries.map((entry) => join(lib, entry));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const source = readFileSync(file, 'utf8');
    for (const specifier of specifiersIn(source, parseSync(file, source).module, file.endsWith('.d.ts'))) {
      if (specifier.startsWith('.')) queue.push(pathOf(file, specifier));
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier));
    }
  }
  return { files, packages };
}

/** Modules that a module imports or re-exports, and the threads that it starts. */
function specifiersIn(source, { staticImports, staticExports, dynamicImports }, isTypes) {
  const exported = staticExports.flatMap(({ entries }) => entries);
  const inPlace = isTypes ? /import\("([^"]+)"\)/g : THREAD;
  return [
    ...[...staticImports, ...exported].flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
    ...Array.from(source.matchAll(inPlace), ([, specifier]) => specifier),
  ];
}

/**
 * Has an older Node end with a sentence: a native module would end it with a segmentation fault. What is imported first
 * is evaluated first.
 */
function checkNodeFirst(entries) {
  const { major, minor } = OLDEST_NODE;
  writeFileSync(
    join(lib, NODE_CHECK),
    `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor}))
  throw new Error(\`Waxwing needs Node ${major}.${minor} or later. This is Node \${process.versions.node}.\`);
`,
  );
  for (const entry of entries) {
    const file = join(lib, entry);
    const [, shebang, source] = /^(#![^\n]*\n)?(.*)$/s.exec(readFileSync(file, 'utf8'));
    writeFileSync(file, `${shebang ?? ''}import '../${NODE_CHECK}';\n${source}`);
  }
}

/** Types name the source, which the compiler finds by the types beside it. */
function pathOf(file, specifier) {
  const path = resolve(dirname(file), specifier);
  return file.endsWith('.d.ts') ? path.replace(/\.[jt]s$/, '.d.ts') : path;
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const THREAD = /new URL\('(\.[^']+\.[jt]s)', import\.meta\.url\)/g;

/** The compiler rewrites the paths of imports, and not those of threads. */
function nameThreadsAsCompiled(file) {
  const source = readFileSync(file, 'utf8');
  const compiled = source.replace(THREAD, (text, path) => {
    const name = path.replace(/\.ts$/, '.js');
    if (!existsSync(resolve(dirname(file), name))) throw new Error(`${file} starts ${path}: not compiled`);
    return text.replace(path, name);
  });
  if (compiled !== source) writeFileSync(file, compiled);
}

function compiledFiles() {
  return readdirSync(lib, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Runs a tool of the project and returns its output; throws with the output if it fails. */
function runTool(command, args, cwd) {
  const [file, ...before] = programOf(command);
  const options = { cwd, env: environment, encoding: 'utf8' };
  const { status, error, stdout, stderr } = spawnSync(file, [...before, ...args], options);
  if (status !== 0) throw new Error(`${command} failed:\n${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

setUp();
process.stdout.write(`${await pack()}\n`);
