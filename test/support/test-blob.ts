/**
 * Sealed files for tests, and their upload.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { contentDigest } from '../../src/protocol/blob/digest.ts';
import { newFileKey } from '../../src/protocol/blob/keys.ts';
import { chunkAt, partsOf } from '../../src/protocol/blob/layout.ts';
import { BlobWriter } from '../../src/protocol/blob/stream.ts';
import { randomBytes, sha256 } from '../../src/protocol/crypto.ts';
import type { TestRelay } from './relay.ts';

/** A sealed file, in memory. */
export class TestBlob {
  readonly key = newFileKey();
  readonly file: Uint8Array;
  readonly id: string;
  readonly bytes: Buffer;
  readonly digest: Uint8Array;

  /** @param size of the file, in bytes */
  constructor(size = 5_000) {
    this.file = randomBytes(size);
    const writer = new BlobWriter(this.key, size);
    const chunks: Uint8Array[] = [];
    for (let index = 0; index < writer.layout.chunks; index++) {
      const { offset, length } = chunkAt(writer.layout, index).file;
      chunks.push(writer.push(this.file.subarray(offset, offset + length)));
    }
    this.digest = writer.finish().digest;
    this.bytes = Buffer.concat(chunks);
    this.id = writer.keys.id;
  }

  get params(): { id: string } {
    return { id: this.id };
  }

  get size(): number {
    return this.bytes.length;
  }

  get partCount(): number {
    return partsOf(this.size).length;
  }

  partBytes(part: number): Buffer {
    const { offset = 0, length = 0 } = partsOf(this.size)[part] ?? {};
    return this.bytes.subarray(offset, offset + length);
  }

  /** The request of an upload of a part. */
  part(part: number): {
    params: { id: string; part: string };
    octets: Buffer;
    headers: Record<string, string>;
  } {
    return partOf(this.id, part, this.partBytes(part));
  }
}

/** The request of an upload of these bytes as a part. */
export function partOf(
  id: string,
  part: number,
  octets: Buffer,
): { params: { id: string; part: string }; octets: Buffer; headers: Record<string, string> } {
  const headers = { 'content-digest': contentDigest(sha256(octets)) };
  return { params: { id, part: String(part) }, octets, headers };
}

/** Begins, uploads and finishes a blob. */
export async function uploadBlob(relay: TestRelay, token: string, blob = new TestBlob()): Promise<TestBlob> {
  const { params, size } = blob;
  await relay.call('beginBlob', { token, params, body: { size } });
  for (let part = 0; part < blob.partCount; part++) {
    await relay.call('putBlobPart', { token, ...blob.part(part) });
  }
  await relay.call('completeBlob', { token, params });
  return blob;
}

/** The bytes of a blob, as the relay gives them. */
export async function readBlob(
  relay: TestRelay,
  token: string,
  id: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${relay.url}/api/v1/blobs/${id}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** The files below a relay's folder of blobs, by their paths in it. */
export function storedFiles(relay: TestRelay): string[] {
  const root = join(relay.folder.path, 'blobs');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
