import { useRef, useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { QrCode } from '../design/qr-code.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { announce } from '../shared/announcements.tsx';
import { copyText } from '../shared/copy-text.ts';
import { isOnThisComputer } from '../shared/server.ts';
import { useClearedOnline } from '../shared/use-cleared-online.ts';
import { useFocusKept } from '../shared/use-focus-kept.ts';
import { useNow } from '../shared/use-now.ts';
import { t } from '../words.tsx';
import { linkName } from './link-name.ts';

type Link = Output<'invites.list'>['links'][number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The person's own invite links: making, giving and canceling one. @param relayUrl URL of their server */
export function OwnInvites({ relayUrl }: { relayUrl: string }) {
  if (isOnThisComputer(relayUrl)) return <p className="text-ink-soft">{t('groups.linksHere')}</p>;
  return <Links />;
}

function Links() {
  const { data, error, refetch } = useBridgeQuery('invites.list', {});
  const [newest, setNewest] = useState<string | null>(null);
  const create = useCommand('invites.create', {
    showsFailure: true,
    onSuccess: ({ link }) => {
      setNewest(link.id);
      announce(t('groups.linkCreated'));
    },
  });
  useClearedOnline(create);
  const now = useNow(MINUTE);
  const open = data?.links.filter(({ expires }) => expires > now) ?? [];
  const [container, button] = [useRef<HTMLDivElement>(null), useRef<HTMLButtonElement>(null)];
  // The card of a spent or canceled link is removed.
  useFocusKept(container, button);
  return (
    <div className="flex flex-col gap-3" ref={container}>
      <p className="text-ink-soft text-secondary">{t('invites.ownText')}</p>
      <div>
        <Button busy={create.isPending} onClick={() => create.mutate({})} ref={button} size="small">
          {t('invites.ownNew')}
        </Button>
      </div>
      {create.error && (
        <p className="text-danger-ink" role="alert">
          {create.error.message}
        </p>
      )}
      {error && (
        <p>
          <span role="alert">{error.message}</span>{' '}
          <Button onClick={() => void refetch()} size="small">
            {t('common.tryAgain')}
          </Button>
        </p>
      )}
      {!data && !error && <Skeleton className="h-16" />}
      {open.length > 0 && (
        <ul aria-label={t('invites.ownList')} className="flex flex-col gap-2">
          {open.map((link) => (
            <li key={link.id}>
              <LinkCard isNew={link.id === newest} link={link} name={linkName(link, open)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface LinkCardProps {
  link: Link;
  /** Distinguishes it from the others. */
  name: string;
  isNew: boolean;
}

/** A link with its actions. A new one shows its QR code at once. */
function LinkCard({ link, name, isNew }: LinkCardProps) {
  const [isCodeShown, setIsCodeShown] = useState(isNew);
  const cancel = useCommand('invites.cancel', {
    showsFailure: true,
    onSuccess: () => announce(t('invites.ownCanceled')),
  });
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState('');
  const expiry = useExpiry(link.expires);
  const copy = () =>
    copyText(link.url, false).then(
      () => setOutcome(t('invites.ownCopied')),
      () => setOutcome(t('app.copyRefused')),
    );
  return (
    <div className="flex flex-col gap-3 rounded-menu border border-line p-3">
      <div>
        <code className="block font-mono text-meta [overflow-wrap:anywhere]">{link.url}</code>
        <p className="mt-1 text-ink-soft text-meta">{expiry}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-label={t('invites.ownCopyOf', { date: name })} onClick={() => void copy()} size="small">
          {t('invites.ownCopy')}
        </Button>
        <Button
          aria-expanded={isCodeShown}
          aria-label={t('invites.ownCodeOf', { date: name })}
          onClick={() => setIsCodeShown(!isCodeShown)}
          size="small"
        >
          {t('invites.ownCode')}
        </Button>
        <Button
          aria-label={t('invites.ownCancelOf', { date: name })}
          busy={cancel.isPending}
          onClick={() => setAsking(true)}
          size="small"
          tone="danger"
        >
          {t('invites.ownCancel')}
        </Button>
      </div>
      {cancel.error && (
        <p className="text-danger-ink" role="alert">
          {cancel.error.message}
        </p>
      )}
      <p className="text-ink-soft text-meta empty:hidden" role="status">
        {outcome}
      </p>
      <Confirmation
        action={t('invites.ownCancel')}
        explanation={t('invites.ownCancelText')}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate({ id: link.id })}
        open={asking}
        title={t('groups.linkCancelTitle')}
      />
      {isCodeShown && (
        <div className="flex justify-center">
          <QrCode className="w-56 max-w-full" label={t('invites.ownCodeLabel')} text={link.url} />
        </div>
      )}
    </div>
  );
}

/** The remaining time in days, at the end in hours. */
function useExpiry(expires: number): string {
  const left = Math.max(0, expires - useNow(MINUTE));
  if (left > DAY) return t('invites.ownExpiresDays', { count: Math.round(left / DAY) });
  return t('invites.ownExpiresHours', { count: Math.max(1, Math.round(left / HOUR)) });
}
