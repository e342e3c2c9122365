import { useEffect, useState } from 'react';
import type { Output } from '../../../bridge/contract.ts';
import { callBridge, useBridgeQuery } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { t } from '../../words.tsx';
import { GuardedForm } from './guarded-form.tsx';

type Secret = Output<'lock.revealSecret'>;

/** Display time, in milliseconds. */
const SHOWN_FOR = 60_000;

/** Shows the recovery phrase again: only in the desktop app, since a browser shares its pages with extensions. */
export function RecoveryReveal() {
  const { data: host } = useBridgeQuery('host.info', {});
  const [asking, setAsking] = useState(false);
  // Not through the cache of answers, which would store it.
  const [secret, setSecret] = useState<Secret | null>(null);
  useEffect(() => {
    if (!secret) return;
    const timer = setTimeout(() => setSecret(null), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [secret]);
  if (!host) return null;
  if (host.kind === 'browser') {
    return <p className="text-ink-soft">{t('settings.phraseText')}</p>;
  }
  if (secret) return <Revealed onHide={() => setSecret(null)} secret={secret} />;
  if (asking) {
    return (
      <GuardedForm
        action={t('settings.phraseShow')}
        needsPassphrase={host.keyProtection.kind === 'passphrase'}
        onCancel={() => setAsking(false)}
        onConfirm={async (passphrase) => {
          setSecret(await callBridge('lock.revealSecret', { passphrase }));
          setAsking(false);
        }}
        tone="primary"
      >
        <p>{t('settings.phraseWarning')}</p>
      </GuardedForm>
    );
  }
  return (
    <div>
      <Button onClick={() => setAsking(true)} size="small">
        {t('settings.phraseShow')}
      </Button>
    </div>
  );
}

function Revealed({ secret, onHide }: { secret: Secret; onHide: () => void }) {
  const copy = t(secret.kind === 'phrase' ? 'settings.phraseCopy' : 'settings.privateKeyCopy');
  return (
    <div className="flex flex-col gap-2">
      {secret.kind === 'key' && <p className="text-secondary">{t('settings.privateKey')}</p>}
      <div className="flex items-center gap-1 rounded-menu border border-line bg-raised py-2 pe-1.5 ps-3.5">
        <code className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere]">{secret.secret}</code>
        <CopyButton isSecret label={copy} text={secret.secret} />
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="text-ink-soft text-meta">{t('settings.phraseHidden')}</p>
        <Button onClick={onHide} size="small">
          {t('settings.phraseHide')}
        </Button>
      </div>
    </div>
  );
}
