/**
 * Electron's `nativeTheme`.
 */
import type * as Electron from 'electron';
import { DeclaredEmitter } from './strict.ts';

export class NativeThemeDouble
  extends DeclaredEmitter
  implements Pick<Electron.NativeTheme, 'shouldUseDarkColors' | 'themeSource'>
{
  /** The setting of the system. */
  isSystemDark = false;
  #source: Electron.NativeTheme['themeSource'] = 'system';

  constructor(platform: NodeJS.Platform) {
    super('NativeTheme', platform);
  }

  get themeSource(): Electron.NativeTheme['themeSource'] {
    return this.#source;
  }

  set themeSource(source: Electron.NativeTheme['themeSource']) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`no theme is called ${source}`);
    this.#source = source;
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.isSystemDark : this.#source === 'dark';
  }
}
