/**
 * A real update server on loopback, and the real electron-updater asking it, with the few parts of Electron that its
 * requests go through.
 */
import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { createServer, request as httpRequest, type RequestOptions, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { UpdateChannel } from '../../src/main/updates/manifest.ts';
import { signedBytes } from '../../src/main/updates/manifest.ts';
import { ReleaseMemory } from '../../src/main/updates/release-memory.ts';
import { Updates } from '../../src/main/updates/updates.ts';

const require = createRequire(import.meta.url);
const keys = generateKeyPairSync('ed25519');
const SERVER = 'https://updates.example/app';

export const RUNNING = '1.2.0';
export const appBytes = Buffer.from('the new app');
export const fileOf = (version: string) => `Waxwing-${version}-x86_64.AppImage`;

/** The manifest that electron-builder writes for Linux. */
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

type Answer = Buffer | string | { redirect: string } | { endless: true };

export class UpdateServer {
  readonly answers = new Map<string, Answer>();
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** Addresses without https that were asked for. */
  readonly plain: string[] = [];
  /** Bytes of answers without end that went out. */
  endless = 0;
  readonly #server = createServer((request, response) => this.#answer(request.url ?? '', response));

  static async start(): Promise<UpdateServer> {
    const server = new UpdateServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Publishes a manifest, signed for the file that it is published as, and its app. */
  publish(text: string, file = 'latest-linux.yml'): void {
    this.answers.set(file, text);
    this.answers.set(`${file}.sig`, signature(file, text));
  }

  /** An app that runs here as version RUNNING. */
  updates(folder: string, channel: UpdateChannel = 'stable'): Updates {
    return new Updates({
      updater: this.#updater(folder),
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
    this.asked.push(path);
    const answer = this.answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'string' || Buffer.isBuffer(answer)) response.end(answer);
    else if ('endless' in answer) this.#goOn(response);
    else response.writeHead(302, { location: answer.redirect }).end();
  }

  /** Answers without end, until the other side has had enough. */
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
    const electron = {
      session: { fromPartition: () => ({}) },
      net: { request: (options: RequestOptions) => this.#request(options, port) },
      app: {
        getVersion: () => RUNNING,
        getName: () => 'waxwing',
        getPath: () => folder,
        getAppPath: () => folder,
        isPackaged: true,
        whenReady: async () => undefined,
        once: () => undefined,
      },
    };
    // electron-updater requires it when it asks; the package on the disk would give the path of a binary.
    const path = require.resolve('electron');
    require.cache[path] = { exports: electron, loaded: true } as NodeJS.Module;
    const { AppImageUpdater } = require('electron-updater') as typeof import('electron-updater');
    const updater = new AppImageUpdater();
    // Its folder for downloads hangs on the home folder; the rest of its configuration is in a package.
    Object.assign(updater, { configOnDisk: { value: Promise.resolve({ updaterCacheDirName: 'waxwing' }) } });
    Object.defineProperty(Reflect.get(updater, 'app'), 'baseCachePath', { value: join(folder, 'cache') });
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
