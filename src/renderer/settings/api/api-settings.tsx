import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import type { DeveloperAccess } from '../../../bridge/shapes.ts';
import { useAsk, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Confirmation } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { rich, t } from '../../words.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { useShowAccess } from './use-show-access.ts';

/** Whether programs may act in the person's name, and with which keys. */
export function ApiSettings() {
  const { data: access, error, refetch } = useAsk('developer.get', {});
  // An answer that is there stays, with a key that was just made and is shown below it.
  if (error && !access) {
    return (
      <p className="text-ink-soft">
        {error.message}{' '}
        <Button onClick={() => void refetch()} size="small">
          {t('common.tryAgain')}
        </Button>
      </p>
    );
  }
  if (!access) return <Skeleton className="h-24" />;
  return access.unlocked ? <Unlocked access={access} /> : <Locked />;
}

function Locked() {
  const show = useShowAccess();
  const [asking, setAsking] = useState(false);
  const unlock = useCommand('developer.unlock', { onSuccess: show });
  return (
    <div className="flex flex-col gap-3 rounded-2xl border border-line bg-raised p-4">
      <p className="flex items-center gap-2 font-semibold">
        <LockKeyhole aria-hidden="true" className="size-4" />
        {t('settings.apiLocked')}
      </p>
      <p className="text-ink-soft leading-relaxed">{t('settings.apiText')}</p>
      <div>
        <Button busy={unlock.isPending} onClick={() => setAsking(true)}>
          {t('settings.apiUnlock')}
        </Button>
      </div>
      <Confirmation
        action={t('settings.apiUnlock')}
        explanation={t('settings.apiUnlockText')}
        onClose={() => setAsking(false)}
        onConfirm={() => unlock.mutate({})}
        open={asking}
        title={t('settings.apiUnlockTitle')}
      />
    </div>
  );
}

/** The relay's own page. The desktop app opens only what is encrypted; a relay on this computer is not. */
function HowTo({ docsUrl }: { docsUrl: string }) {
  const { data: host } = useAsk('host.info', {});
  if (!host) return null;
  if (host.kind === 'electron' && !docsUrl.startsWith('https:')) {
    return (
      <>
        {rich('settings.apiDocsAt', { url: docsUrl })}
        <CopyButton className="-my-2 align-middle" label={t('settings.apiDocsCopy')} text={docsUrl} />
      </>
    );
  }
  return (
    <a className="font-semibold text-wax-ink underline" href={docsUrl} rel="noreferrer" target="_blank">
      {t('settings.apiDocs')}
    </a>
  );
}

function Unlocked({ access }: { access: DeveloperAccess }) {
  const show = useShowAccess();
  const [asking, setAsking] = useState(false);
  const lock = useCommand('developer.lock', { onSuccess: show });
  const working = access.keys.filter(isWorking).length;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft leading-relaxed [overflow-wrap:anywhere]">
        {t('settings.apiText')} <HowTo docsUrl={access.docsUrl} />
      </p>
      <KeyList keys={access.keys} />
      <NewKey />
      <div>
        <Button busy={lock.isPending} onClick={() => setAsking(true)} size="small" tone="danger">
          {t('settings.apiLock')}
        </Button>
      </div>
      <Confirmation
        action={t('settings.apiLock')}
        explanation={t('settings.apiLockText', { count: working })}
        onClose={() => setAsking(false)}
        onConfirm={() => lock.mutate({})}
        open={asking}
        title={t('settings.apiLockTitle')}
      />
    </div>
  );
}

function isWorking({ expiresAt, revokedAt }: DeveloperAccess['keys'][number]): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}
