import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import type { Me } from '../../../bridge/shapes/account.ts';
import type { DeveloperAccess } from '../../../bridge/shapes/developer-access.ts';
import { callBridge, useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Confirmation } from '../../design/dialog.tsx';
import { LoadFailure } from '../../design/load-failure.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { rich, t } from '../../words.tsx';
import { SigningForm } from '../signing-form.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { useShowAccess } from './use-show-access.ts';

/** Developer API access: whether programs may act in the person's name, and their keys. */
export function ApiSettings({ me: { keepsPhrase } }: { me: Me }) {
  const { data: access, error, refetch } = useBridgeQuery('developer.get', {});
  // An existing answer stays visible, because a new key is shown below it.
  if (error && !access) {
    return <LoadFailure error={error} onRetry={() => void refetch()} />;
  }
  if (!access) return <Skeleton className="h-24" />;
  return access.unlocked ? (
    <Unlocked access={access} keepsPhrase={keepsPhrase} />
  ) : (
    <Locked keepsPhrase={keepsPhrase} />
  );
}

function Locked({ keepsPhrase }: { keepsPhrase: boolean }) {
  return (
    <div className="flex flex-col gap-3 rounded-menu border border-line bg-raised p-4">
      <p className="flex items-center gap-2 font-semibold">
        <LockKeyhole aria-hidden="true" className="size-4" />
        {t('settings.apiLocked')}
      </p>
      <p className="text-ink-soft">{t('settings.apiText')}</p>
      <ChangeAccess
        action={t('settings.apiUnlock')}
        change="developer.unlock"
        explanation={t('settings.apiUnlockText')}
        keepsPhrase={keepsPhrase}
        title={t('settings.apiUnlockTitle')}
      />
    </div>
  );
}

/** The relay's own page. The desktop app opens only encrypted addresses; a relay on this computer has none. */
function HowTo({ docsUrl }: { docsUrl: string }) {
  const { data: host } = useBridgeQuery('host.info', {});
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
    <a className="font-semibold text-accent-ink underline" href={docsUrl} rel="noreferrer" target="_blank">
      {t('settings.apiDocs')}
    </a>
  );
}

function Unlocked({ access, keepsPhrase }: { access: DeveloperAccess; keepsPhrase: boolean }) {
  const working = access.keys.filter(isWorking).length;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {t('settings.apiText')} <HowTo docsUrl={access.docsUrl} />
      </p>
      <KeyList keys={access.keys} />
      <NewKey />
      <ChangeAccess
        action={t('settings.apiLock')}
        change="developer.lock"
        explanation={t('settings.apiLockText', { count: working })}
        keepsPhrase={keepsPhrase}
        title={t('settings.apiLockTitle')}
        tone="danger"
      />
    </div>
  );
}

interface ChangeAccessProps {
  change: 'developer.unlock' | 'developer.lock';
  action: string;
  title: string;
  explanation: string;
  tone?: 'danger';
  keepsPhrase: boolean;
}

/**
 * Unlocks or locks after a confirmation. If the recovery phrase is not stored here, it is asked for: the account
 * signs this.
 */
function ChangeAccess({ change, action, title, explanation, tone, keepsPhrase }: ChangeAccessProps) {
  const show = useShowAccess();
  const [asking, setAsking] = useState(false);
  const opener = useFocusReturn(asking && !keepsPhrase);
  const command = useCommand(change, { onSuccess: show });
  if (asking && !keepsPhrase) {
    return (
      <SigningForm
        action={action}
        keepsPhrase={false}
        onCancel={() => setAsking(false)}
        onSign={async ({ secret = '' }) => {
          const access = await callBridge(change, { secret });
          setAsking(false);
          show(access);
        }}
        tone={tone ?? 'primary'}
      >
        <p>{explanation}</p>
      </SigningForm>
    );
  }
  return (
    <div>
      <Button
        busy={command.isPending}
        onClick={() => setAsking(true)}
        ref={opener}
        {...(tone && { size: 'small', tone })}
      >
        {action}
      </Button>
      <Confirmation
        action={action}
        tone={tone ?? 'primary'}
        explanation={explanation}
        onClose={() => setAsking(false)}
        onConfirm={() => command.mutate({})}
        open={asking}
        title={title}
      />
    </div>
  );
}

function isWorking({ expiresAt, revokedAt }: DeveloperAccess['keys'][number]): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}
