import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFuses, setFuses } from '../../../scripts/fuses.ts';
import { temporaryFolder } from '../../support/engine.ts';

/** From Electron's documentation of fuses; a version and a length follow, then a byte for each fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A file that holds what Electron's binary holds: the wire, between other bytes. */
function binary(folder: string, fuses: string): string {
  const path = join(folder, 'electron');
  const head = Buffer.from(`\0program${SENTINEL}`);
  writeFileSync(path, Buffer.concat([head, Buffer.from([1, fuses.length]), Buffer.from(`${fuses}\0more`)]));
  return path;
}

test('C20, V10: all nine fuses are set as the threat model has them', async () => {
  using folder = temporaryFolder();
  const path = binary(folder.path, '101100011');
  await setFuses(path);
  // RunAsNode, CookieEncryption, NodeOptions, NodeCliInspect, AsarIntegrity, OnlyLoadAppFromAsar, BrowserV8Snapshot,
  // GrantFileProtocol, WasmTrapHandlers.
  expect(readFileSync(path, 'latin1')).toContain('\u0001\t010011001\0more');
});

test.each(['1111111111', '11111111'])('C20: a wire of another length fails: %s', async (fuses) => {
  using folder = temporaryFolder();
  await expect(setFuses(binary(folder.path, fuses))).rejects.toThrow(/fuse/);
});

test('C20, V10: a fuse that is not as it has to be is named', async () => {
  using folder = temporaryFolder();
  await expect(checkFuses(binary(folder.path, '110011000'))).rejects.toThrow(
    /: RunAsNode, WasmTrapHandlers\.$/,
  );
});
