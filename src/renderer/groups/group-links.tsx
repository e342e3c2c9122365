import { QrCode as QrIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import type { GroupDetails } from '../../bridge/shapes/group.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Confirmation, Dialog, DialogText } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { LoadFailure } from '../design/load-failure.tsx';
import { QrCode } from '../design/qr-code.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { linkName } from '../invites/link-name.ts';
import { Section } from '../people/details-section.tsx';
import { announce } from '../shared/announcements.tsx';
import { isOnThisComputer } from '../shared/server.ts';
import { useFocusKept } from '../shared/use-focus-kept.ts';
import { useNow } from '../shared/use-now.ts';
import { t } from '../words.tsx';
import { NewLink } from './new-link.tsx';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_HOURS = 24;
/** The same as in the group's chain. */
const MOST = 8;

type Link = Output<'groups.links'>['links'][number];
/** Links with which anyone can join the group. For its owner. */
export function GroupLinks({ details: { conversationId } }: { details: GroupDetails }) {
  const { data: state } = useBridgeQuery('app.state', {});
  if (!state?.me) return null;
  return (
    <Section title={t('groups.links')}>
      {isOnThisComputer(state.me.relayUrl) ? (
        <p className="text-ink-soft">{t('groups.linksHere')}</p>
      ) : (
        <Links conversationId={conversationId} />
      )}
    </Section>
  );
}

function Links({ conversationId }: { conversationId: string }) {
  const { data, error, refetch } = useBridgeQuery('groups.links', { conversationId });
  const now = useNow(MINUTE);
  const valid = data?.links.filter(({ expires }) => expires > now) ?? [];
  const [container, create] = [useRef<HTMLDivElement>(null), useRef<HTMLButtonElement>(null)];
  // The row of a canceled link is removed.
  useFocusKept(container, create);
  return (
    <div className="flex flex-col gap-2" ref={container}>
      <p className="text-ink-soft">{t('groups.linksText')}</p>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-16" />}
      {valid.length > 0 && <LinkList conversationId={conversationId} links={valid} now={now} />}
      {data && (
        <NewLink conversationId={conversationId} most={valid.length >= MOST ? MOST : null} submit={create} />
      )}
    </div>
  );
}

interface LinkListProps {
  conversationId: string;
  /** The valid ones. */
  links: readonly Link[];
  now: number;
}

function LinkList({ conversationId, links, now }: LinkListProps) {
  const cancel = useCommand('groups.cancelLink', { onSuccess: () => announce(t('groups.linkCanceled')) });
  return (
    <ul aria-label={t('groups.links')} className="flex flex-col divide-y divide-line">
      {links.map((link) => (
        <LinkRow
          isBusy={cancel.isPending && cancel.variables.key === link.key}
          key={link.key}
          link={link}
          name={linkName(named(link), links.map(named))}
          now={now}
          onCancel={() => cancel.mutate({ conversationId, key: link.key })}
        />
      ))}
    </ul>
  );
}

interface LinkRowProps {
  link: Link;
  /** Distinguishes it from the others. */
  name: string;
  now: number;
  isBusy: boolean;
  onCancel: () => void;
}

function LinkRow({ link, name, now, isBusy, onCancel }: LinkRowProps) {
  const { url, expires } = link;
  const [asking, setAsking] = useState(false);
  const [isShown, setIsShown] = useState(false);
  return (
    <li className="flex flex-col gap-1.5 py-2.5">
      <p>{endText(expires, now)}</p>
      <p className="text-ink-soft text-meta">
        {name}
        {url === null && <span className="block">{t('groups.linkElsewhere')}</span>}
      </p>
      <div className="flex flex-wrap items-center gap-1">
        {url !== null && (
          <>
            <CopyButton className="-ms-2" label={t('groups.linkCopyOf', { date: name })} text={url} />
            <IconButton
              icon={QrIcon}
              label={t('groups.linkCodeOf', { date: name })}
              onClick={() => setIsShown(true)}
            />
            <Dialog onClose={() => setIsShown(false)} open={isShown} title={t('groups.linkCode')}>
              <div className="flex flex-col items-center gap-3 p-5 text-center">
                <QrCode className="w-60 max-w-full" label={t('groups.linkCodeLabel')} text={url} />
                <DialogText className="text-ink-soft">{t('groups.linksText')}</DialogText>
              </div>
            </Dialog>
          </>
        )}
        <Button
          aria-label={t('groups.linkCancelOf', { date: name })}
          busy={isBusy}
          className="ms-auto"
          onClick={() => setAsking(true)}
          size="small"
          tone="danger"
        >
          {t('groups.linkCancel')}
        </Button>
      </div>
      <Confirmation
        action={t('groups.linkCancel')}
        explanation={t('groups.linkCancelText')}
        onClose={() => setAsking(false)}
        onConfirm={onCancel}
        open={asking}
        title={t('groups.linkCancelTitle')}
      />
    </li>
  );
}

const named = ({ key, expires }: Link) => ({ id: key, expires });

function endText(expires: number, now: number): string {
  const hours = Math.round((expires - now) / HOUR);
  if (hours < 1) return t('groups.linkExpiresSoon');
  if (hours < DAY_HOURS) return t('groups.linkExpiresHours', { count: hours });
  return t('groups.linkExpiresDays', { count: Math.round(hours / DAY_HOURS) });
}
