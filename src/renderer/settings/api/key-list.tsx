import type { ApiKey } from '../../../bridge/shapes/developer-access.ts';
import { useCommand } from '../../bridge.ts';
import { CredentialList } from '../../credentials/credential-list.tsx';
import { announce } from '../../shared/announcements.tsx';
import { t } from '../../words.tsx';
import { useShowAccess } from './use-show-access.ts';

const words = {
  label: t('settings.keys'),
  revokeAction: t('settings.keyRevokeAction'),
  revokeTitle: (name: string) => t('settings.keyRevokeTitle', { name }),
};

/** The keys, newest first. */
export function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  const show = useShowAccess();
  const revoke = useCommand('developer.revokeKey', {
    onSuccess: (access, { id }) => {
      show(access);
      const key = keys.find((each) => each.id === id);
      if (key) announce(t('settings.keyRevoked', { name: key.name }));
    },
  });
  if (keys.length === 0) return <p className="text-ink-soft">{t('settings.keysNone')}</p>;
  return (
    <CredentialList
      busy={revoke.isPending ? revoke.variables.id : null}
      credentials={keys}
      onRevoke={(id) => revoke.mutate({ id })}
      words={words}
    />
  );
}
