import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { followSystemEnd, type Signals } from '../../../src/main/system-end.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s ends the app once, though a library has registered a listener before',
  (signal) => {
    const electron = new ElectronDouble();
    const signals = new EventEmitter();
    const seen: string[] = [];
    signals.once(signal, () => seen.push('the library'));
    const window = new EventEmitter() as Electron.BrowserWindow;
    followSystemEnd(
      electron.parts,
      window,
      { signals: signals as unknown as Signals, platform: 'linux' },
      () => seen.push('the app'),
    );
    signals.emit(signal);
    expect(seen).toEqual(['the app']);
  },
);
