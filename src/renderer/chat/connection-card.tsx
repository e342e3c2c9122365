import { CloudOff } from 'lucide-react';
import { unreachable } from '../../base/sentences.ts';
import type { Connection } from '../../bridge/shapes/account.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { useSecondsUntil } from '../shared/use-seconds-until.ts';
import { shutOutBy } from '../shared/use-shut-out.ts';
import { failureText, t } from '../words.tsx';

/**
 * Shown while offline at the end of the list, without covering it: the problem, the next attempt, and the number of
 * waiting messages.
 */
export function ConnectionCard() {
  const { data: connection } = useBridgeQuery('connection.get', {});
  const retry = useCommand('connection.retry');
  if (!connection || isShownAbove(connection)) return null;
  const shutOut = shutOutBy(connection);
  if (connection.state !== 'offline' && !shutOut) return null;
  return (
    <section
      aria-label={t('chats.offline')}
      className="rise mx-2 mb-2 rounded-menu border border-line bg-raised p-3"
    >
      <div className="flex gap-2.5">
        <CloudOff aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-ink" />
        <div className="min-w-0 flex-1 text-secondary">
          <p className="break-words">
            {connection.problem ? failureText(connection.problem) : t('chats.offlineProblem')}
            {connection.isKeyOverdue && ` ${failureText({ code: 'key_overdue', parameters: {} })}`}
          </p>
          {connection.queued > 0 && (
            <p className="mt-0.5 text-ink-soft">{t('chats.offlineWaiting', { count: connection.queued })}</p>
          )}
        </div>
      </div>
      {shutOut ? (
        <ShutOutButton className="mt-2" />
      ) : (
        <div className="mt-2 flex items-center justify-between gap-2">
          <span className="text-ink-soft text-meta tabular-nums">
            {connection.nextRetryAt !== null && <Countdown until={connection.nextRetryAt} />}
          </span>
          <Button busy={retry.isPending} onClick={() => retry.mutate({})} size="small">
            {t('chats.retryNow')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The next step for a computer that has no access: its data is deleted, and it is linked again. */
export function ShutOutButton({ className = '' }: { className?: string }) {
  const { openSetting } = useNavigation();
  return (
    <Button className={className} onClick={() => openSetting('wipe')} size="small">
      {t('chats.shutOutAction')}
    </Button>
  );
}

/** The deletion of the account is reported once, above everything, with its remedy. */
function isShownAbove({ problem }: Connection): boolean {
  return problem?.code === 'account_deleted';
}

function Countdown({ until }: { until: number }) {
  const seconds = useSecondsUntil(until);
  return seconds === 0 ? t('chats.retrying') : t('chats.retryingIn', { seconds });
}

/**
 * The same in one line above the composer, if a narrow window hides the list. Permanent problems, such as a suspended
 * account, are named.
 */
export function ConnectionLine() {
  const { data: connection } = useBridgeQuery('connection.get', {});
  if (connection?.state !== 'offline' || isShownAbove(connection) || shutOutBy(connection)) return null;
  const { problem } = connection;
  return (
    <p className="flex items-center gap-2 px-4 pt-2 text-ink-soft text-meta @min-[47.5rem]/window:hidden">
      <CloudOff aria-hidden="true" className="size-3.5 shrink-0 text-warning-ink" />
      {problem && !Object.hasOwn(unreachable, problem.code) ? failureText(problem) : t('chats.offlineLine')}
    </p>
  );
}
