import { useState } from 'react';
import type { ApiKey } from '../../../bridge/shapes.ts';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { Confirmation } from '../../design/dialog.tsx';
import { plainDate } from '../../shared/time.ts';
import { useShowAccess } from './use-show-access.ts';

/** The keys, newest first. */
export function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return <p className="text-ink-soft">You have made no key yet.</p>;
  return (
    <ul aria-label="API keys" className="flex flex-col divide-y divide-line">
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
          <code className="font-mono">{apiKey.prefix}…</code>, {historyOf(apiKey)}
        </span>
        <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">
          {apiKey.entitlements.join(', ')}
        </span>
      </span>
      {!isRevoked && (
        <Button busy={revoke.isPending} onClick={() => setAsking(true)} size="small" tone="danger">
          Revoke
        </Button>
      )}
      <Confirmation
        action="Revoke key"
        explanation="Whatever uses it is refused from now on, calls that are under way too. This cannot be undone; another key can be made."
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ id: apiKey.id })}
        open={asking}
        title={`Revoke ${apiKey.name}?`}
      />
    </li>
  );
}

function historyOf({ createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked on ${plainDate(revokedAt)}`;
  const used = lastUsedAt === null ? 'never used' : `last used on ${plainDate(lastUsedAt)}`;
  return `made on ${plainDate(createdAt)}, ${used}, ${endOf(expiresAt)}`;
}

function endOf(expiresAt: number | null): string {
  if (expiresAt === null) return 'never expires';
  return expiresAt > Date.now() ? `expires on ${plainDate(expiresAt)}` : `expired on ${plainDate(expiresAt)}`;
}
