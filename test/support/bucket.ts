/**
 * A bucket of an S3 server that others wrote (@20minutes/s3rver), which checks signatures. It cannot abort an upload.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Bucket } from '../../src/relay/blobs/bucket.ts';
import { temporaryFolder } from './engine.ts';

interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3Server;

export class TestBucket {
  readonly #folder = temporaryFolder();
  readonly #name: string;
  readonly #server: S3Server;
  #port = 0;
  #runs = false;

  constructor(name = 'waxwing-test') {
    this.#name = name;
    this.#server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: this.#folder.path,
      configureBuckets: [{ name }],
    });
  }

  async start(): Promise<this> {
    this.#port = (await this.#server.run()).port;
    this.#runs = true;
    return this;
  }

  get place(): { bucket: Bucket } {
    return {
      bucket: {
        endpoint: `http://127.0.0.1:${this.#port}`,
        region: 'us-east-1',
        name: this.#name,
        prefix: 'files/',
        // The one account that the server has.
        accessKeyId: 'S3RVER',
        secretAccessKey: 'S3RVER',
        sessionToken: null,
      },
    };
  }

  /** The content of the bucket: the server's files, of any name. */
  files(): string[] {
    return readdirSync(this.#folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();
  }

  async stop(): Promise<void> {
    if (this.#runs) await this.#server.close();
    this.#runs = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#folder[Symbol.dispose]();
  }
}
