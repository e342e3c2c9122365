/**
 * The first versions ran @echo as a whole chat engine with an encrypted cache. Its identity lives on: the handle, the
 * address that people know, and the device that what they have sent is sealed for.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type IdentityData, writeIdentityJson } from '../client/identity/file.ts';
import { CACHE_FILE, openCache } from '../engine/cache/database.ts';
import { IdentityRows } from '../engine/cache/identity-rows.ts';
import { encodeBase64Url } from '../protocol/encoding.ts';

/** Moves the identity of an earlier @echo, if there is one in the folder, into a file of its own. */
export function adoptEarlierEcho(folder: string, file: string): void {
  const keyFile = join(folder, 'key');
  if (!existsSync(keyFile) || !existsSync(join(folder, CACHE_FILE))) return;
  const cache = openCache(folder, readFileSync(keyFile));
  try {
    const rows = new IdentityRows(cache);
    const identity = rows.get();
    if (!identity) return;
    writeIdentityJson(file, {
      version: 1,
      address: identity.address,
      walletKey: encodeBase64Url(identity.walletKey),
      deviceSeed: encodeBase64Url(identity.deviceSeed),
      deviceType: 'app',
      deviceList: identity.deviceList,
      registeredAt: identity.registeredAt,
      sealKeys: rows.sealKeys().map((key) => ({ ...key, secret: encodeBase64Url(key.secret) })),
      relay: null,
      apiKey: null,
      retention: null,
    } satisfies IdentityData);
  } finally {
    cache.close();
  }
  for (const name of [CACHE_FILE, `${CACHE_FILE}-wal`, `${CACHE_FILE}-shm`, 'key']) {
    rmSync(join(folder, name), { force: true });
  }
}
