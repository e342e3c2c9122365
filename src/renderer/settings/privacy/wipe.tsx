import { useEffect, useRef, useState } from 'react';
import { callBridge } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { t } from '../../words.tsx';
import type { SettingProps } from '../entry.ts';
import { GuardedForm } from './guarded-form.tsx';

/** Deletes account and messages from this computer, with the passphrase. */
export function Wipe({ host, isWiping, setIsWiping }: SettingProps) {
  if (isWiping) {
    return (
      <WipeForm
        needsPassphrase={host.keyProtection.kind === 'passphrase'}
        onCancel={() => setIsWiping(false)}
      />
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-soft">{t('settings.storageText')}</p>
      <Button onClick={() => setIsWiping(true)} size="small" tone="danger">
        {t('settings.wipe')}
      </Button>
    </div>
  );
}

function WipeForm({ needsPassphrase, onCancel }: { needsPassphrase: boolean; onCancel: () => void }) {
  const [hasPhrase, setHasPhrase] = useState(false);
  const checkbox = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A link from far below may have opened it: the focus scrolls here.
    checkbox.current?.focus();
  }, []);
  return (
    <GuardedForm
      action={t('settings.wipe')}
      isReady={hasPhrase}
      needsPassphrase={needsPassphrase}
      onCancel={onCancel}
      // Afterwards the whole interface starts again.
      onConfirm={async (passphrase) => void (await callBridge('lock.wipe', { passphrase }))}
      tone="danger"
    >
      <p>{t('settings.wipeText')}</p>
      <label className="flex items-start gap-2.5">
        <input
          checked={hasPhrase}
          className="mt-1 size-4 shrink-0 accent-accent"
          onChange={(event) => setHasPhrase(event.target.checked)}
          ref={checkbox}
          type="checkbox"
        />
        <span>{t('settings.wipeReady')}</span>
      </label>
    </GuardedForm>
  );
}
