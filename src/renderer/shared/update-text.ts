import type { UpdateState } from '../../bridge/shapes/app.ts';
import { failureText, t } from '../words.tsx';
import { isOldRelease } from './release-age.ts';
import { plainDate } from './time.ts';

/** The progress of the app's update, in one or two sentences. */
export function updateText({ phase, version, problem, newestFrom }: UpdateState): string {
  switch (phase) {
    case 'idle':
      return t('app.updateIdle');
    case 'checking':
      return t('app.updateChecking');
    case 'current':
      return newestFrom === null ? t('app.updateCurrent') : currentText(newestFrom);
    case 'available':
      return t('app.updateAvailable', { version: version ?? '' });
    case 'downloading':
      return t('app.updateDownloading', { version: version ?? '' });
    case 'ready':
      return t('app.updateReady', { version: version ?? '' });
    case 'failed':
      return problem ? failureText(problem) : t('app.updateFailed');
    case 'unavailable':
      return t('app.updateUnavailable');
  }
}

function currentText(newestFrom: number): string {
  const date = plainDate(newestFrom);
  return t(isOldRelease(newestFrom, Date.now()) ? 'app.updateOld' : 'app.updateCurrentFrom', { date });
}
