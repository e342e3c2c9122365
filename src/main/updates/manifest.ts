/**
 * The manifest of a release: electron-builder's, with an Ed25519 signature beside it. The manifest is read
 * only after its signature was verified.
 */
import { createPublicKey, verify } from 'node:crypto';
import type { UpdateInfo } from 'electron-updater';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';

/** `stable` is `latest` in electron-builder. */
export type UpdateChannel = 'stable' | 'beta';

const version = String.raw`\d{1,5}\.\d{1,5}\.\d{1,5}(?:-beta\.\d{1,5})?`;

/** electron-builder.yml's `artifactName`: no folder, no space, no shell characters. */
const FileName = z
  .string()
  .regex(new RegExp(String.raw`^Waxwing-${version}-[a-z0-9_]{3,8}\.(?:zip|dmg|exe|AppImage|deb|rpm)$`));

/** Version in the name of a package; null for another file. */
export function versionIn(fileName: string): string | null {
  if (!FileName.safeParse(fileName).success) return null;
  return new RegExp(`^Waxwing-(${version})-`).exec(fileName)?.[1] ?? null;
}

/** SHA-512 in Base64. */
const Sha512 = z.string().regex(/^[A-Za-z0-9+/]{86}==$/);

const Manifest = z.strictObject({
  version: z.string().regex(new RegExp(`^${version}$`)),
  files: z
    .array(
      z.strictObject({
        url: FileName,
        sha512: Sha512,
        size: z.number().int().positive(),
        blockMapSize: z.number().int().positive().optional(),
      }),
    )
    .min(1)
    .max(16),
  /** For versions of the updater before 2018. */
  path: FileName,
  sha512: Sha512,
  releaseDate: z.iso.datetime(),
});

/** The signed bytes: the manifest after its file name, which contains channel and system. */
export function signedBytes(file: string, manifest: string): Buffer {
  return Buffer.from(`waxwing-release-v1\n${file}\n${manifest}`);
}

/**
 * @param file name of the manifest, such as `beta-mac.yml`
 * @param manifest as received
 * @param signature Base64, from scripts/sign-release.mjs
 * @param key SubjectPublicKeyInfo in Base64
 * @throws Failure update_unsigned, update_unknown_form for a wrong signature, channel, system or form
 */
export function readManifest(file: string, manifest: string, signature: string, key: string): UpdateInfo {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  if (!verify(null, signedBytes(file, manifest), publicKey, Buffer.from(signature.trim(), 'base64'))) {
    throw new Failure('update_unsigned');
  }
  const checked = Manifest.safeParse(parseUpdateInfo(manifest, file, new URL('https://update.invalid')));
  if (!checked.success) {
    throw new Failure('update_unknown_form');
  }
  const { files, ...rest } = checked.data;
  return { ...rest, files: files.map(({ url, sha512, size }) => ({ url, sha512, size })) };
}
