/**
 * Signs the manifests that electron-builder has written: `node scripts/sign-release.mjs <folder>`. The private key is
 * PEM, in the file that WAXWING_RELEASE_KEY_FILE names or in WAXWING_RELEASE_KEY itself.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest, signedBytes } from '../src/main/updates/manifest.ts';
import { RELEASE_KEY } from '../src/main/updates/release-key.ts';

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const [folder] = process.argv.slice(2);
const { WAXWING_RELEASE_KEY_FILE: file, WAXWING_RELEASE_KEY: inline } = process.env;
const pem = file ? readFileSync(file, 'utf8') : inline;
if (folder === undefined) fail('Which folder? node scripts/sign-release.mjs <folder>');
if (!pem)
  fail('Name the private key’s file in WAXWING_RELEASE_KEY_FILE, or give the key in WAXWING_RELEASE_KEY.');

const key = createPrivateKey(pem);
const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
if (publicKey !== RELEASE_KEY)
  fail('This key is not the one that the app is built with: see src/main/updates/release-key.ts.');

const names = readdirSync(folder).filter((name) =>
  /^(?:latest|beta)(?:-(?:mac|linux)(?:-arm64)?)?\.yml$/.test(name),
);
if (names.length === 0) fail(`There is no manifest in ${folder}.`);
for (const name of names) {
  const manifest = readFileSync(join(folder, name), 'utf8');
  const signature = sign(null, signedBytes(name, manifest), key).toString('base64');
  // A release that the app would refuse is not published.
  readManifest(name, manifest, signature, RELEASE_KEY);
  writeFileSync(join(folder, `${name}.sig`), `${signature}\n`);
  process.stdout.write(`${name}.sig\n`);
}
