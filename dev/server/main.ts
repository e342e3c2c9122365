/**
 * `npm run dev`: the interface with hot reload, on scenes, or with `--real` on its own engine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';
import { FileAnswers } from './files.ts';
import { RealEngine } from './real-engine.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const LINK = /http:\/\/127\.0\.0\.1:\d+\/#\S+/;

const args = process.argv.slice(2);
const isReal = args.includes('--real');
const rest = args.filter((arg) => arg !== '--real');
const engine = new RealEngine();
const files = new FileAnswers();
const sceneFiles: Plugin = {
  name: 'waxwing-scene-files',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      if (!files.answer(request, response)) next();
    });
  },
};
const server = await createServer({
  configFile: path('dev/server/vite.config.ts'),
  plugins: [isReal ? engine.plugin : sceneFiles],
});
await server.listen();
const [origin = ''] = server.resolvedUrls?.local ?? [];

let host: ChildProcess | null = null;
if (isReal) {
  const data = rest.includes('--data') ? [] : ['--data', path('.cache/dev-data')];
  // The terminal asks for another link, as it does of `waxwing serve`.
  host = spawn(process.execPath, [path('src/cli/waxwing.ts'), 'serve', ...data, ...rest], {
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  host.on('exit', (code) => process.exit(code ?? 0));
  if (host.stdout) createInterface({ input: host.stdout }).on('line', print);
} else {
  process.stdout.write(`Scenes and gallery: ${origin}\n`);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    host?.kill('SIGTERM');
    void server.close().then(() => process.exit(0));
  });
}

/** Prints the host's own line, with the link to the page that reloads in place of the built one. */
function print(line: string): void {
  const [link] = line.match(LINK) ?? [];
  if (link === undefined) {
    process.stdout.write(`${line}\n`);
    return;
  }
  const { origin: target, hash } = new URL(link);
  engine.target = target;
  process.stdout.write(`${line.replace(link, `${origin}real.html${hash}`)}\n`);
}
