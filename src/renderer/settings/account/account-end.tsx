import { useState } from 'react';
import type { Deletion } from '../../../bridge/shapes/account.ts';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { SecretField } from '../../design/secret-field.tsx';
import { fullTime } from '../../shared/time.ts';
import { t } from '../../words.tsx';
import type { SettingProps } from '../entry.ts';
import { DeleteAccountForm } from './delete-account-form.tsx';
import { serverOf } from './server-of.ts';

/** Deletion of the account at its server: requesting it, cancelling it, and the options afterwards. */
export function AccountEnd({ me, show, setIsWiping }: SettingProps) {
  const { data: state } = useBridgeQuery('app.state', {});
  const [asking, setAsking] = useState(false);
  const server = serverOf(me);
  const onWipe = () => {
    setIsWiping(true);
    show('wipe');
  };
  if (!state) return null;
  if (state.deletion?.kind === 'done')
    return <Deleted keepsPhrase={me.keepsPhrase} onWipe={onWipe} server={server} />;
  if (state.deletion) return <Planned deletion={state.deletion} server={server} />;
  if (asking) return <DeleteAccountForm onClose={() => setAsking(false)} server={server} />;
  return (
    <div>
      <Button
        className="h-auto min-h-8 max-w-full whitespace-normal py-1.5 text-start [overflow-wrap:anywhere]"
        onClick={() => setAsking(true)}
        size="small"
        tone="danger"
      >
        {t('settings.accountDeleteAt', { server })}
      </Button>
    </div>
  );
}

const card = 'flex flex-col gap-3 rounded-menu border border-line p-4';

function Planned({ deletion, server }: { deletion: Deletion & { kind: 'planned' }; server: string }) {
  const keep = useCommand('account.keep');
  return (
    <div className={card}>
      <p className="[overflow-wrap:anywhere]" role="status">
        {t('settings.accountEndsText', { server, time: fullTime(deletion.at) })}
      </p>
      <div>
        <Button busy={keep.isPending} onClick={() => keep.mutate({})} size="small" tone="primary">
          {t('settings.accountKeep')}
        </Button>
      </div>
    </div>
  );
}

interface DeletedProps {
  server: string;
  keepsPhrase: boolean;
  onWipe: () => void;
}

function Deleted({ server, keepsPhrase, onWipe }: DeletedProps) {
  const [secret, setSecret] = useState('');
  const reopen = useCommand('account.reopen');
  return (
    <div className={card}>
      <p className="[overflow-wrap:anywhere]" role="status">
        {t('settings.accountGoneText', { server })}
      </p>
      <p className="text-ink-soft">{t('settings.accountReopenText')}</p>
      {!keepsPhrase && (
        <SecretField
          label={t('firstRun.recoverField')}
          note={t('settings.phraseOnce')}
          onChange={setSecret}
          value={secret}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          busy={reopen.isPending}
          disabled={!keepsPhrase && secret.trim() === ''}
          onClick={() => reopen.mutate({ secret: keepsPhrase ? null : secret })}
          size="small"
        >
          {t('settings.accountReopen')}
        </Button>
        <Button onClick={onWipe} size="small" tone="danger">
          {t('settings.wipe')}
        </Button>
      </div>
    </div>
  );
}
