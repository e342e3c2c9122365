import { useState } from 'react';
import type { ApiKey } from '../../bridge/shapes/developer-access.ts';
import type { BotToken } from '../../bridge/shapes/group.ts';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { Confirmation } from '../design/dialog.tsx';
import { plainDate } from '../shared/time.ts';
import { t } from '../words.tsx';

interface CredentialWords {
  /** The accessible name of the list. */
  label: string;
  revokeTitle: (name: string) => string;
  revokeAction: string;
}

interface CredentialListProps {
  /** Newest first, revoked ones too. */
  credentials: readonly (ApiKey | BotToken)[];
  words: CredentialWords;
  /** The id of the one being revoked. */
  busy: string | null;
  onRevoke: (id: string) => void;
}

/** Credentials of programs, of a person or in a group: their state, and revoking them. */
export function CredentialList({ credentials, words, busy, onRevoke }: CredentialListProps) {
  return (
    <ul aria-label={words.label} className="flex flex-col divide-y divide-line">
      {credentials.map((credential) => (
        <CredentialRow
          credential={credential}
          isBusy={credential.id === busy}
          key={credential.id}
          onRevoke={() => onRevoke(credential.id)}
          words={words}
        />
      ))}
    </ul>
  );
}

interface CredentialRowProps {
  credential: ApiKey | BotToken;
  words: CredentialWords;
  isBusy: boolean;
  onRevoke: () => void;
}

function CredentialRow({ credential, words, isBusy, onRevoke }: CredentialRowProps) {
  const [asking, setAsking] = useState(false);
  const { name, prefix, revokedAt } = credential;
  const isRevoked = revokedAt !== null;
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-2.5">
      <span className="min-w-0 flex-[1_1_10rem]">
        <bdi
          className={classNames(
            'block [overflow-wrap:anywhere]',
            isRevoked ? 'text-ink-soft line-through' : 'font-semibold',
          )}
        >
          {name}
        </bdi>
        <span className="block text-ink-soft text-meta [overflow-wrap:anywhere]">
          <code className="font-mono">{prefix}…</code>
          {'signs' in credential && !isRevoked && (
            <> · {credential.signs ? t('groups.tokenSigns') : t('groups.tokenSignsNot')}</>
          )}{' '}
          · {historyOf(credential)}
        </span>
        {'entitlements' in credential && (
          <span className="block text-ink-soft text-meta [overflow-wrap:anywhere]">
            <code className="font-mono">{credential.entitlements.join(', ')}</code>
          </span>
        )}
      </span>
      {!isRevoked && (
        <Button busy={isBusy} onClick={() => setAsking(true)} size="small" tone="danger">
          {t('common.revoke')}
        </Button>
      )}
      <Confirmation
        action={words.revokeAction}
        explanation={t('common.revokeText')}
        onClose={() => setAsking(false)}
        onConfirm={onRevoke}
        open={asking}
        title={words.revokeTitle(name)}
      />
    </li>
  );
}

function historyOf(credential: ApiKey | BotToken): string {
  const { createdAt, lastUsedAt, revokedAt } = credential;
  if (revokedAt !== null) return t('common.revoked', { date: plainDate(revokedAt) });
  const used =
    lastUsedAt === null ? t('common.neverUsed') : t('common.lastUsed', { date: plainDate(lastUsedAt) });
  const end = 'expiresAt' in credential ? [endOf(credential.expiresAt)] : [];
  return [t('common.created', { date: plainDate(createdAt) }), used, ...end].join(' · ');
}

function endOf(expiresAt: number | null): string {
  if (expiresAt === null) return t('settings.keyNeverExpires');
  const date = plainDate(expiresAt);
  return expiresAt > Date.now() ? t('settings.keyExpires', { date }) : t('settings.keyExpired', { date });
}
