/**
 * The real preload script on the double of Electron.
 */
import { vi } from 'vitest';
import type { Bridge } from '../../src/bridge/contract.ts';
import type { ElectronDouble } from './electron/index.ts';

/** Runs the preload of the app's window. Returns the page's `window.waxwing`. */
export async function preload(electron: ElectronDouble): Promise<Bridge> {
  const { parts, exposed } = electron.renderer();
  vi.doMock('electron', () => parts);
  vi.resetModules();
  await import('../../src/preload/index.ts');
  vi.doUnmock('electron');
  return exposed.waxwing as Bridge;
}
