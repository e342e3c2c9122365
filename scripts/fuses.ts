/**
 * Electron's fuses: switches in its binary that are set once, before it is signed.
 */
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/** All nine, by Electron's names for them (docs/tutorial/fuses.md). */
export const FUSES = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // No snapshot is shipped.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
} satisfies Record<FuseV1Options, boolean>;

export type Fuses = Partial<Record<FuseV1Options, boolean>>;

/**
 * The fuses that a binary has, of those above: an older Electron has fewer.
 * @param binary Electron's executable, or its .app bundle
 */
export async function fusesOf(binary: string): Promise<Fuses> {
  const wire = await getCurrentFuseWire(binary);
  return Object.fromEntries(Object.entries(FUSES).filter(([fuse]) => fuse in wire));
}

/**
 * Sets every fuse, and fails if Electron has one that is not named, or lacks a named one.
 * @param binary Electron's executable, or its .app bundle
 */
export async function setFuses(binary: string, fuses: Fuses = FUSES): Promise<void> {
  await flipFuses(binary, {
    version: FuseVersion.V1,
    // The type of the strict option wants the fuses of this package's version; the wire decides.
    strictlyRequireAllFuses: true as unknown as false,
    // Apple's processors start nothing whose signature is broken: without a certificate, Electron's own has to be renewed.
    resetAdHocDarwinSignature: process.platform === 'darwin',
    ...fuses,
  });
  await checkFuses(binary, fuses);
}

/**
 * Reads the fuses back; throws with a sentence that names the wrong ones.
 * @param binary Electron's executable, or its .app bundle
 */
export async function checkFuses(binary: string, fuses: Fuses = FUSES): Promise<void> {
  const { version: _version, ...wire } = await getCurrentFuseWire(binary);
  const found = new Map(Object.entries(wire));
  const wanted = new Map(Object.entries(fuses));
  const wrong = [...new Set([...wanted.keys(), ...found.keys()])].filter(
    (fuse) => found.get(fuse) !== (wanted.get(fuse) ? FuseState.ENABLE : FuseState.DISABLE),
  );
  if (wrong.length === 0) return;
  const names = wrong.map((fuse) => FuseV1Options[Number(fuse)] ?? `number ${fuse}`).join(', ');
  throw new Error(`These fuses of ${binary} are not as they have to be: ${names}.`);
}
