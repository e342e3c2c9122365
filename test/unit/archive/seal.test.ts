import { createDecipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { BLOCK_HEAD, NONCE_BYTES, sealedBytes, TAG_BYTES } from '../../../src/archive/form.ts';
import { blockKey, contentKeys, nameOf } from '../../../src/archive/keys.ts';
import { isBlock, openBlock, sealBlock } from '../../../src/archive/seal.ts';

const keys = contentKeys(new Uint8Array(32).fill(7));
const STEP = 128 * 1024;

function sealed(contents: Uint8Array) {
  const name = nameOf(keys, contents);
  const block = Buffer.alloc(sealedBytes({ bytes: contents.length }), 0xff);
  sealBlock(keys, contents, name, block);
  return { name, block };
}

test.each([1, STEP - 1, STEP, STEP + 1, 3 * STEP + 5])(
  'a block of %i bytes is the one that AES-256-GCM makes in one step, and opens again',
  (length) => {
    const contents = randomBytes(length);
    const { name, block } = sealed(contents);
    expect(block.readUInt32BE(0)).toBe(length + TAG_BYTES);
    expect(block.subarray(4, BLOCK_HEAD)).toEqual(name);
    const decipher = createDecipheriv('aes-256-gcm', blockKey(keys, name), Buffer.alloc(NONCE_BYTES));
    decipher.setAAD(Buffer.concat([Buffer.from('waxwing backup v1 block'), name]));
    decipher.setAuthTag(block.subarray(-TAG_BYTES));
    const opened = Buffer.concat([decipher.update(block.subarray(BLOCK_HEAD, -TAG_BYTES)), decipher.final()]);
    expect(opened.equals(contents)).toBe(true);
    expect(openBlock(keys, name, block)?.equals(contents)).toBe(true);
    expect(isBlock(keys, name, block)).toBe(true);
  },
);

test('a flipped bit in any part of a block is found without its contents, too', () => {
  const { name, block } = sealed(randomBytes(2 * STEP + 5));
  const last = block.length - 1;
  for (const place of [
    0,
    3,
    4,
    BLOCK_HEAD,
    BLOCK_HEAD + STEP,
    BLOCK_HEAD + 2 * STEP,
    last - TAG_BYTES,
    last,
  ]) {
    const damaged = Buffer.from(block);
    damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place);
    expect(isBlock(keys, name, damaged), `place ${place}`).toBe(false);
    expect(openBlock(keys, name, damaged), `place ${place}`).toBeNull();
  }
});

test('a block that is cut, or of another name, is refused', () => {
  const { name, block } = sealed(randomBytes(STEP));
  const other = sealed(randomBytes(STEP));
  expect(isBlock(keys, name, other.block)).toBe(false);
  for (const length of [0, 3, BLOCK_HEAD, sealedBytes({ bytes: 0 }), block.length - 1])
    expect(isBlock(keys, name, block.subarray(0, length)), `length ${length}`).toBe(false);
});
