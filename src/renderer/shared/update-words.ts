import type { UpdateState } from '../../bridge/shapes.ts';
import { failureText, t } from '../words.tsx';

/** The progress of the app's update, in one sentence. */
export function updateWords({ phase, version, problem }: UpdateState): string {
  switch (phase) {
    case 'idle':
      return t('app.updateIdle');
    case 'checking':
      return t('app.updateChecking');
    case 'current':
      return t('app.updateCurrent');
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
