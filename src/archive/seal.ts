/**
 * Sealing of blocks and manifests: AES-256-GCM. A block has its own key, by its name, so its nonce is constant: each name
 * has one text.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  type DecipherGCM,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { BLOCK_HEAD, NONCE_BYTES, sealedBytes, TAG_BYTES } from './form.ts';
import { blockKey, type ContentKeys } from './keys.ts';

const CIPHER = 'aes-256-gcm';
const BLOCK_NONCE = Buffer.alloc(NONCE_BYTES);
const BLOCK_PURPOSE = Buffer.from('waxwing backup v1 block');
const MANIFEST_PURPOSE = Buffer.from('waxwing backup v1 manifest');

/** Bytes that the cipher gets at a time: it makes memory for each result, which then stays in the cache of the processor. */
const STEP_BYTES = 128 * 1024;

/**
 * Seals a block into memory, as it is in a file: length, name, sealed contents.
 * @param into of {@link sealedBytes}
 * @param name of the contents
 */
export function sealBlock(keys: ContentKeys, contents: Uint8Array, name: Uint8Array, into: Buffer): void {
  const cipher = createCipheriv(CIPHER, blockKey(keys, name), BLOCK_NONCE);
  cipher.setAAD(Buffer.concat([BLOCK_PURPOSE, name]));
  into.writeUInt32BE(contents.length + TAG_BYTES);
  into.set(name, 4);
  for (let done = 0; done < contents.length; done += STEP_BYTES) {
    const piece = cipher.update(contents.subarray(done, done + STEP_BYTES));
    into.set(piece, BLOCK_HEAD + done);
    free(piece);
  }
  cipher.final();
  into.set(cipher.getAuthTag(), BLOCK_HEAD + contents.length);
}

/** Contents of a block; null if it is not the block of this name. @param into of their length */
export function openBlock(
  keys: ContentKeys,
  name: Uint8Array,
  block: Buffer,
  contents: Buffer = Buffer.allocUnsafe(Math.max(0, block.length - sealedBytes({ bytes: 0 }))),
): Buffer | null {
  const isOpen = open(keys, name, block, (piece, offset) => contents.set(piece, offset));
  return isOpen ? contents : null;
}

/** Reports whether a block is that of a name, and can be opened. */
export function isBlock(keys: ContentKeys, name: Uint8Array, block: Buffer): boolean {
  return open(keys, name, block, () => undefined);
}

/** @param onPiece called with contents, which count only if the result is true */
function open(
  keys: ContentKeys,
  name: Uint8Array,
  block: Buffer,
  onPiece: (piece: Buffer, offset: number) => void,
): boolean {
  if (block.length < sealedBytes({ bytes: 0 }) || block.readUInt32BE(0) !== block.length - BLOCK_HEAD)
    return false;
  if (!timingSafeEqual(block.subarray(4, BLOCK_HEAD), name)) return false;
  const decipher = createDecipheriv(CIPHER, blockKey(keys, name), BLOCK_NONCE, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([BLOCK_PURPOSE, name]));
  decipher.setAuthTag(block.subarray(-TAG_BYTES));
  const sealed = block.subarray(BLOCK_HEAD, -TAG_BYTES);
  for (let done = 0; done < sealed.length; done += STEP_BYTES) {
    const piece = decipher.update(sealed.subarray(done, done + STEP_BYTES));
    onPiece(piece, done);
    free(piece);
  }
  return isAuthentic(decipher);
}

/**
 * Frees memory that a cipher made, at once. The garbage collector would free it after many blocks, with twice the work of sealing them.
 * @param bytes not used again
 */
function free(bytes: Buffer<ArrayBuffer>): void {
  // Memory that others share stays.
  if (bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0);
}

function isAuthentic(decipher: DecipherGCM): boolean {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
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
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  return isAuthentic(decipher) ? text : null;
}

const purposeWith = (header: Uint8Array) =>
  Buffer.concat([MANIFEST_PURPOSE, createHash('sha256').update(header).digest()]);
