/**
 * A real update server on loopback, and the real electron-updater asking it, with the few parts of Electron that its
 * requests go through.
 */
import { generateKeyPairSync, hash, sign } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { UpdateChannel } from '../../src/main/updates/manifest.ts';
import { signedBytes } from '../../src/main/updates/manifest.ts';
import { ReleaseMemory } from '../../src/main/updates/release-memory.ts';
import { canInstallItself } from '../../src/main/updates/self-install.ts';
import { Updates } from '../../src/main/updates/updates.ts';
import { ElectronDouble } from './electron/index.ts';

const require = createRequire(import.meta.url);
const keys = generateKeyPairSync('ed25519');
const SERVER = 'https://updates.example/app';

export const RUNNING = '1.2.0';
export const appBytes = Buffer.from('the new app');
export const fileOf = (version: string) => `Waxwing-${version}-x86_64.AppImage`;

/** The manifest that electron-builder writes. */
export function manifest(
  version: string,
  { file = fileOf(version), date = '2026-11-20T10:00:00.000Z' } = {},
) {
  const sha512 = hash('sha512', appBytes, 'base64');
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${JSON.stringify(file)}`,
    `    sha512: ${sha512}`,
    `    size: ${appBytes.length}`,
    `path: ${JSON.stringify(file)}`,
    `sha512: ${sha512}`,
    `releaseDate: '${date}'`,
    '',
  ].join('\n');
}

export function signature(file: string, text: string, key = keys.privateKey): string {
  return sign(null, signedBytes(file, text), key).toString('base64');
}

/** The installation of the app: each kind has its own updater. */
export type Installed = 'AppImage' | 'deb' | 'rpm' | 'mac';

/** `cut`: the connection is closed after these bytes, before the announced end. */
type Answer = Buffer | string | { redirect: string } | { endless: true } | { cut: Buffer };

export class UpdateServer {
  readonly answers = new Map<string, Answer>();
  /** Requested paths. */
  readonly requests: string[] = [];
  /** The headers of each request. */
  readonly headers: IncomingHttpHeaders[] = [];
  /** Requested addresses without https. */
  readonly plain: string[] = [];
  /** Number of sent bytes of endless answers. */
  endless = 0;
  /** The module `electron` for electron-updater. */
  readonly electron: ElectronDouble;
  readonly #server = createServer(({ url = '', headers }, response) => {
    this.headers.push(headers);
    this.#answer(url, response);
  });
  readonly #installed: Installed;

  private constructor(installed: Installed) {
    this.#installed = installed;
    const platform = installed === 'mac' ? 'darwin' : 'linux';
    this.electron = new ElectronDouble({ platform, version: RUNNING });
    this.electron.app.becomeReady();
  }

  static async start(installed: Installed = 'AppImage'): Promise<UpdateServer> {
    const server = new UpdateServer(installed);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Publishes a manifest, signed for the file that it is published as, and its app. */
  publish(text: string, file = 'latest-linux.yml'): void {
    this.answers.set(file, text);
    this.answers.set(`${file}.sig`, signature(file, text));
  }

  /** An app that runs here as version RUNNING, with its data and its AppImage in a folder. */
  updates(folder: string, channel: UpdateChannel = 'stable'): Updates {
    const installed = this.#installed;
    const { platform } = this.electron.app;
    return new Updates({
      updater: this.#updater(folder),
      installs: canInstallItself(platform, installed === 'AppImage', join(folder, 'Waxwing.AppImage')),
      downloads: join(folder, 'updates'),
      native: installed === 'mac' ? this.electron.parts.autoUpdater : null,
      server: SERVER,
      key: keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      channel: () => channel,
      memory: new ReleaseMemory(join(folder, 'releases.json')),
      mayCheck: () => false,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string, response: ServerResponse): void {
    const path = decodeURIComponent(url.replace(/^\/app\//, ''));
    this.requests.push(path);
    const answer = this.answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'string' || Buffer.isBuffer(answer)) response.end(answer);
    else if ('endless' in answer) this.#goOn(response);
    else if ('cut' in answer) {
      response.writeHead(200, { 'content-length': 2 * answer.cut.length });
      response.write(answer.cut, () => response.destroy());
    } else response.writeHead(302, { location: answer.redirect }).end();
  }

  /** Answers without end, until the other side closes the connection. */
  #goOn(response: ServerResponse): void {
    const chunk = Buffer.alloc(64 * 1024, '#');
    const go = () => {
      while (!response.destroyed) {
        this.endless += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on('drain', go);
    go();
  }

  #updater(folder: string): AppUpdater {
    const { port } = this.#server.address() as AddressInfo;
    const { app, parts } = this.electron;
    app.setPath('userData', folder);
    const electron = {
      ...parts,
      net: { request: (options: RequestOptions) => this.#request(options, port) },
    };
    // electron-updater requires it when it asks; the package on the disk would give the path of a binary.
    const path = require.resolve('electron');
    require.cache[path] = { exports: electron, loaded: true } as NodeJS.Module;
    const { AppImageUpdater, DebUpdater, MacUpdater, RpmUpdater } =
      require('electron-updater') as typeof import('electron-updater');
    const updaters = { AppImage: AppImageUpdater, deb: DebUpdater, rpm: RpmUpdater, mac: MacUpdater };
    const updater = new updaters[this.#installed]();
    // The name of its folder is in a package.
    Object.assign(updater, { configOnDisk: { value: Promise.resolve({ updaterCacheDirName: 'waxwing' }) } });
    // Its own place is in the home folder, for all copies of the app.
    const cache = join(folder, '..', 'cache of all copies');
    Object.defineProperty(Reflect.get(updater, 'app'), 'baseCachePath', { value: cache, configurable: true });
    return updater;
  }

  /** As Electron's net with `redirect: 'manual'`: a redirect is an event, and nothing follows by itself. */
  #request(options: RequestOptions, port: number) {
    const { protocol, hostname, path, headers } = options;
    if (protocol !== 'https:') this.plain.push(`${protocol}//${hostname}${path}`);
    const request = httpRequest({ host: '127.0.0.1', port, path, headers });
    const emit = request.emit.bind(request);
    request.emit = (event: string, ...args: unknown[]) => {
      const [response] = args as [import('node:http').IncomingMessage];
      const location = event === 'response' ? response.headers.location : undefined;
      return location === undefined ? emit(event, ...args) : emit('redirect', 302, 'GET', location);
    };
    return request;
  }
}

export const otherKey = () => generateKeyPairSync('ed25519').privateKey;
