/**
 * Electron's `clipboard` in the main process, whose calls are promises.
 */
import type * as Electron from 'electron';

export class ClipboardDouble implements Pick<Electron.Clipboard, 'clear' | 'readText' | 'writeText'> {
  text = '';
  /** True if another program has locked it, as on Windows. */
  isBusy = false;

  async writeText(text: string): Promise<void> {
    if (typeof text !== 'string') throw new TypeError('the clipboard takes a text');
    if (this.isBusy) throw new Error('Failed to write to the clipboard');
    this.text = text;
  }

  async readText(): Promise<string> {
    return this.text;
  }

  clear(): void {
    this.text = '';
  }
}
