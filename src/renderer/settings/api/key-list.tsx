import { useState } from 'react';
import type { ApiKey } from '../../../bridge/shapes.ts';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { Confirmation } from '../../design/dialog.tsx';
import { plainDate } from '../../shared/time.ts';
import { t } from '../../words.tsx';
import { useShowAccess } from './use-show-access.ts';

/** The keys, newest first. */
export function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return <p className="text-ink-soft">{t('settings.keysNone')}</p>;
  return (
    <ul aria-label={t('settings.keys')} className="flex flex-col divide-y divide-line">
      {keys.map((key) => (
        <KeyRow apiKey={key} key={key.id} />
      ))}
    </ul>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const show = useShowAccess();
  const [asking, setAsking] = useState(false);
  const revoke = useCommand('developer.revokeKey', { onSuccess: show });
  const isRevoked = apiKey.revokedAt !== null;
  return (
    <li className="flex items-start gap-3 py-2.5">
      <span className="min-w-0 flex-1 leading-snug">
        <bdi
          className={isRevoked ? 'block truncate text-ink-soft line-through' : 'block truncate font-semibold'}
        >
          {apiKey.name}
        </bdi>
        <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">
          <code className="font-mono">{apiKey.prefix}…</code> · {historyOf(apiKey)}
        </span>
        <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">
          <code className="font-mono">{apiKey.entitlements.join(', ')}</code>
        </span>
      </span>
      {!isRevoked && (
        <Button busy={revoke.isPending} onClick={() => setAsking(true)} size="small" tone="danger">
          {t('settings.keyRevoke')}
        </Button>
      )}
      <Confirmation
        action={t('settings.keyRevokeAction')}
        explanation={t('settings.keyRevokeText')}
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ id: apiKey.id })}
        open={asking}
        title={t('settings.keyRevokeTitle', { name: apiKey.name })}
      />
    </li>
  );
}

function historyOf({ createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey): string {
  if (revokedAt !== null) return t('common.revoked', { date: plainDate(revokedAt) });
  const used =
    lastUsedAt === null ? t('common.neverUsed') : t('common.lastUsed', { date: plainDate(lastUsedAt) });
  return [t('common.created', { date: plainDate(createdAt) }), used, endOf(expiresAt)].join(' · ');
}

function endOf(expiresAt: number | null): string {
  if (expiresAt === null) return t('settings.keyNeverExpires');
  const date = plainDate(expiresAt);
  return expiresAt > Date.now() ? t('settings.keyExpires', { date }) : t('settings.keyExpired', { date });
}
