import { useEffect, useState } from 'react';
import { callBridge } from '../bridge.ts';
import { copyText } from '../shared/copy-text.ts';
import { t } from '../words.tsx';
import { Button } from './button.tsx';

/** Display time of the result, in milliseconds. */
const SHOWN_FOR = 4_000;

/** Copies the error report and confirms it. Only calls the host, so it works even if everything else fails. */
export function CopyDiagnostics() {
  const [outcome, setOutcome] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () => {
    setIsBusy(true);
    callBridge('diagnostics.text', {})
      .then(({ text }) => copyText(text, false))
      .then(setOutcome, () => setOutcome(t('app.copyRefused')))
      .finally(() => setIsBusy(false));
  };
  return (
    <span className="inline-flex flex-wrap items-center">
      <Button busy={isBusy} onClick={copy} size="small">
        {t('app.copyDiagnostics')}
      </Button>
      <span aria-live="polite" className="ms-3 text-secondary text-ink-soft empty:ms-0">
        {outcome}
      </span>
    </span>
  );
}
