/** The person's own profile, from the settings shared by their devices. */
import type { Profile } from '../../messaging/contents/kind.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { sha256 } from '../../protocol/crypto.ts';
import { decodeTime, encodeBase64Url, encodeUtf8 } from '../../protocol/encoding.ts';
import type { Faces } from '../cache/faces.ts';
import type { Files } from '../cache/files.ts';
import type { IdentityRows } from '../cache/identity-rows.ts';
import type { OwnRegister, OwnRegisters } from '../cache/own-registers.ts';

export const HANDLE = 'setting/handle';
export const ABOUT = 'setting/about';
export const AVATAR = 'setting/avatar';

interface Parts {
  readonly identity: IdentityRows;
  readonly ownRegisters: OwnRegisters;
}

/** Null before the person has a handle. */
export function ownProfile({ identity, ownRegisters }: Parts): Profile | null {
  const { handle, displayName } = identity.profile();
  const name = displayName ?? handle;
  if (name === null) return null;
  return {
    name,
    about: ownRegisters.valueOf(ABOUT) as string | null,
    avatar: ownRegisters.valueOf(AVATAR) as AttachedFile | null,
  };
}

/** Reports whether a profile has nothing but the handle, which everyone knows. */
export function isEmptyProfile({ identity }: Pick<Parts, 'identity'>, profile: Profile): boolean {
  return profile.name === identity.profile().handle && profile.about === null && profile.avatar === null;
}

/** Names the contents of a profile. */
export function digestOfProfile({ name, about, avatar }: Profile): string {
  return encodeBase64Url(
    sha256(encodeUtf8(JSON.stringify([name, about, avatar?.key ?? null]))).subarray(0, 16),
  );
}

/**
 * Reports whether the person's picture was chosen here and is not at the relay yet. Until then it is sent to no
 * one: they could not download it.
 */
export function isPictureUnsent({
  faces,
  files,
  identity,
  ownRegisters,
}: Parts & { readonly faces: Faces; readonly files: Files }): boolean {
  const register = ownRegisters.get(AVATAR);
  const face = faces.get(identity.get()?.address ?? '');
  if (!register?.value || register.deviceId !== null || !face || face.fileId === null) return false;
  return face.keptAt === 0 && (files.get(face.fileId)?.isHere ?? false);
}

/** Time of the last change of the profile by another own device, in milliseconds since 1970; 0 for none. */
export function setElsewhereAt(parts: Pick<Parts, 'ownRegisters'>): number {
  return lastChange(parts, ({ deviceId }) => deviceId !== null);
}

/** The same for this device. */
export function setHereAt(parts: Pick<Parts, 'ownRegisters'>): number {
  return lastChange(parts, ({ deviceId }) => deviceId === null);
}

function lastChange(
  { ownRegisters }: Pick<Parts, 'ownRegisters'>,
  counts: (register: OwnRegister) => boolean,
): number {
  const registers = ['setting/name', ABOUT, AVATAR].map((key) => ownRegisters.get(key));
  return Math.max(0, ...registers.flatMap((each) => (each && counts(each) ? [decodeTime(each.sentAt)] : [])));
}
