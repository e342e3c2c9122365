/** Source of releases for electron-updater: a folder on https with signed manifests. */
import type { ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { Provider, resolveFiles } from 'electron-updater/out/providers/Provider.js';
import { Failure } from '../../base/failure.ts';
import { readManifest, type UpdateChannel } from './manifest.ts';
import type { ReleaseMemory } from './release-memory.ts';

export interface SignedSource {
  /** The folder's address. */
  server: string;
  /** SubjectPublicKeyInfo in Base64. */
  key: string;
  channel: () => UpdateChannel;
  memory: ReleaseMemory;
}

export class SignedProvider extends Provider<UpdateInfo> {
  readonly #source: SignedSource;
  readonly #folder: URL;

  constructor(source: SignedSource, _updater: unknown, options: ProviderRuntimeOptions) {
    // Parallel range requests require a server known to support them.
    super({ ...options, isUseMultipleRangeRequest: false });
    this.#source = source;
    this.#folder = new URL(source.server.endsWith('/') ? source.server : `${source.server}/`);
    if (this.#folder.protocol !== 'https:') throw new Failure('update_insecure');
  }

  async getLatestVersion(): Promise<UpdateInfo> {
    const channel = this.#source.channel();
    const name = channel === 'stable' ? this.getDefaultChannelName() : this.getCustomChannelName(channel);
    const file = `${name}.yml`;
    const [manifest, signature] = await Promise.all([this.#read(file), this.#read(`${file}.sig`)]);
    const info = readManifest(file, manifest, signature, this.#source.key);
    this.#source.memory.see(channel, info.releaseDate);
    return info;
  }

  /** The default headers of electron-updater would identify the app. */
  override setRequestHeaders(): void {}

  resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
    return resolveFiles(info, this.#folder);
  }

  async #read(file: string): Promise<string> {
    const text = await this.httpRequest(new URL(file, this.#folder));
    if (!text) throw new Failure('update_empty', { file });
    return text;
  }
}
