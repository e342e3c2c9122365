import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { checkFuses, fusesOf, setFuses } from '../../../scripts/fuses.ts';
import { temporaryFolder } from '../../support/engine.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** From Electron's documentation of fuses; a version and a length follow, then a byte for each fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A file with the essential part of Electron's binary: the fuse wire, between other bytes. */
function binary(folder: string, fuses: string): string {
  const path = join(folder, 'electron');
  const head = Buffer.from(`\0program${SENTINEL}`);
  writeFileSync(path, Buffer.concat([head, Buffer.from([1, fuses.length]), Buffer.from(`${fuses}\0more`)]));
  return path;
}

test('C20, V10: all nine fuses have the values of the threat model', async () => {
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

test('an older Electron gets the fuses that it has, if the caller asks for them', async () => {
  using folder = temporaryFolder();
  const path = binary(folder.path, '10110001');
  await setFuses(path, await fusesOf(path));
  expect(readFileSync(path, 'latin1')).toContain('\u0001\b01001100\0more');
});

test('C20, V10: a wrong fuse is reported by name', async () => {
  using folder = temporaryFolder();
  await expect(checkFuses(binary(folder.path, '110011000'))).rejects.toThrow(
    /: RunAsNode, WasmTrapHandlers\.$/,
  );
});

// A script with a shebang replaces Apple's program here.
test.skipIf(process.platform === 'win32')(
  'on macOS the app is signed again after the fuses: Apple’s processors start nothing unsigned',
  async () => {
    using folder = temporaryFolder();
    const app = join(folder.path, 'Waxwing.app');
    const framework = join(app, 'Contents', 'Frameworks', 'Electron Framework.framework');
    mkdirSync(framework, { recursive: true });
    const made = binary(folder.path, '101100011');
    writeFileSync(join(framework, 'Electron Framework'), readFileSync(made));
    const codesign = join(folder.path, 'codesign');
    writeFileSync(codesign, `#!/bin/sh\necho "$@" > "${folder.path}/signed"\n`);
    chmodSync(codesign, 0o755);
    vi.stubEnv('PATH', `${folder.path}${delimiter}${process.env.PATH}`);
    vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
    await setFuses(app);
    expect(readFileSync(join(folder.path, 'signed'), 'utf8')).toMatch(/^--sign - .*Waxwing\.app$/m);
  },
);
