import { useBridgeQuery } from '../bridge.ts';
import { t } from '../words.tsx';
import { useDebounced } from './use-debounced.ts';

interface HandleCheck {
  maySave: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

/** Handles are lower case only: typed capitals are converted. */
export const toHandle = (typed: string) => typed.replace(/^@/, '').toLowerCase();

/**
 * Asks the relay about a typed handle. If it does not answer, saving is still possible: it checks again.
 * @param typed without the `@`
 */
export function useHandleCheck(typed: string): HandleCheck {
  const wanted = typed.trim();
  const handle = useDebounced(wanted);
  const { data, error, isFetching } = useBridgeQuery('handle.check', { handle }, { enabled: handle !== '' });
  if (wanted === '') return { maySave: false, note: t('firstRun.handleHint'), tone: 'hint' };
  // An earlier answer about the same handle is not shown meanwhile: someone may have claimed it.
  if (handle !== wanted || isFetching || (!data && !error)) {
    return { maySave: false, note: t('firstRun.handleChecking'), tone: 'hint' };
  }
  if (error || !data) return { maySave: true, note: error?.message ?? '', tone: 'problem' };
  const named = { handle: `@${handle}` };
  switch (data.status) {
    case 'free':
      return { maySave: true, note: t('firstRun.handleFree', named), tone: 'good' };
    case 'mine':
      return { maySave: true, note: t('firstRun.handleMine', named), tone: 'good' };
    case 'taken':
      return { maySave: false, note: t('firstRun.handleTaken', named), tone: 'problem' };
    case 'reserved':
      return { maySave: false, note: t('firstRun.handleReserved', named), tone: 'problem' };
    case 'invalid':
      return { maySave: false, note: t('firstRun.handleHint'), tone: 'problem' };
  }
}
