/**
 * Sealing of blocks and manifests: AES-256-GCM. A block has its own key, by its name, so its nonce is constant: each name
 * has one text.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { BLOCK_HEAD, NAME_BYTES, NONCE_BYTES, TAG_BYTES } from './form.ts';
import { blockKey, type ContentKeys, nameOf } from './keys.ts';

const CIPHER = 'aes-256-gcm';
const BLOCK_NONCE = Buffer.alloc(NONCE_BYTES);
const BLOCK_PURPOSE = Buffer.from('waxwing backup v1 block');
const MANIFEST_PURPOSE = Buffer.from('waxwing backup v1 manifest');

/** A block as it is in a file: length, name, sealed contents. */
export function sealBlock(
  keys: ContentKeys,
  contents: Uint8Array,
  name = nameOf(keys, contents),
): { name: Buffer; sealed: Buffer } {
  const cipher = createCipheriv(CIPHER, blockKey(keys, name), BLOCK_NONCE);
  cipher.setAAD(Buffer.concat([BLOCK_PURPOSE, name]));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(contents.length + TAG_BYTES);
  const sealed = Buffer.concat([head, name, cipher.update(contents), cipher.final(), cipher.getAuthTag()]);
  return { name, sealed };
}

/** Contents of a block; null if it is not the block of this name. */
export function openBlock(keys: ContentKeys, name: Uint8Array, block: Uint8Array): Buffer | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  if (bytes.length < BLOCK_HEAD + TAG_BYTES || bytes.readUInt32BE(0) !== bytes.length - BLOCK_HEAD)
    return null;
  if (!timingSafeEqual(bytes.subarray(4, 4 + NAME_BYTES), name)) return null;
  const decipher = createDecipheriv(CIPHER, blockKey(keys, name), BLOCK_NONCE, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([BLOCK_PURPOSE, name]));
  return opened(decipher, bytes.subarray(BLOCK_HEAD));
}

/** @param header bytes of the header, which the manifest authenticates */
export function sealManifest({ manifest }: ContentKeys, text: Uint8Array, header: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, manifest, nonce);
  cipher.setAAD(purposeWith(header));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Text of a manifest; null if it is not that of this header. */
export function openManifest(
  { manifest }: ContentKeys,
  sealed: Uint8Array,
  header: Uint8Array,
): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, manifest, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(purposeWith(header));
  return opened(decipher, sealed.subarray(NONCE_BYTES));
}

const purposeWith = (header: Uint8Array) =>
  Buffer.concat([MANIFEST_PURPOSE, createHash('sha256').update(header).digest()]);

function opened(decipher: ReturnType<typeof createDecipheriv>, sealed: Uint8Array): Buffer | null {
  const gcm = decipher as import('node:crypto').DecipherGCM;
  gcm.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([gcm.update(sealed.subarray(0, -TAG_BYTES)), gcm.final()]);
  } catch {
    return null;
  }
}
