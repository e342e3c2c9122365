/** Sleep and screen events of the system. */
import type { Calls } from '../host/calls.ts';
import type { Session } from '../host/session.ts';
import type { ScreenListener } from './bus/logind.ts';
import type { ElectronParts } from './electron.ts';

/**
 * Calls back on each change of the screen lock.
 * @returns the function that stops it
 */
export type FollowScreen = (listener: ScreenListener) => () => void;

/**
 * After sleep or a screen lock the relay is asked at once. App lock follows the screen and sleep, if the
 * person wants it.
 * @param followScreen reports the screen lock where Electron does not
 * @returns the function that stops it
 */
export function followPower(
  { powerMonitor }: ElectronParts,
  session: Pick<Session, 'wake' | 'lock'>,
  calls: Pick<Calls, 'settings'>,
  followScreen: FollowScreen | null,
): () => void {
  const wake = () => session.wake();
  const lock = () => {
    if (calls.settings().lockWithScreen) void session.lock();
  };
  powerMonitor.on('resume', wake);
  powerMonitor.on('unlock-screen', wake);
  powerMonitor.on('lock-screen', lock);
  powerMonitor.on('suspend', lock);
  const stop = followScreen?.({ locked: lock, unlocked: wake });
  return () => {
    stop?.();
    powerMonitor.off('resume', wake);
    powerMonitor.off('unlock-screen', wake);
    powerMonitor.off('lock-screen', lock);
    powerMonitor.off('suspend', lock);
  };
}
