import { Feather } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { InvitePeopleButton } from '../invites/invite-people-dialog.tsx';
import { useMayAct } from '../shared/use-shut-out.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { t } from '../words.tsx';
import type { ListFilter } from './filter.ts';
import { EchoButton } from './nothing-open.tsx';

interface NoConversationsProps {
  echoOffered: boolean;
  onNewChat: () => void;
}

export function NoConversations({ echoOffered, onNewChat }: NoConversationsProps) {
  const mayAct = useMayAct();
  return (
    <EmptyState
      action={
        // Wider windows show these beside the list.
        <div className="flex flex-wrap justify-center gap-2 @min-[47.5rem]/window:hidden">
          <WhileAccepted>
            {echoOffered && <EchoButton />}
            <Button onClick={onNewChat}>{t('chats.newChat')}</Button>
            <InvitePeopleButton tone="quiet" />
          </WhileAccepted>
        </div>
      }
      picture={<Feather aria-hidden="true" className="size-8 text-ink-soft" strokeWidth={1.5} />}
      {...(mayAct && { text: t('chats.emptyText') })}
      title={t('chats.empty')}
    />
  );
}

/** Chats are only in the archive, whose button is above, or blocked. */
export function AllArchived({ onNewChat }: Pick<NoConversationsProps, 'onNewChat'>) {
  return (
    <EmptyState
      action={
        <WhileAccepted>
          <Button onClick={onNewChat}>{t('chats.newChat')}</Button>
        </WhileAccepted>
      }
      text={t('chats.allArchivedText')}
      title={t('chats.allArchived')}
    />
  );
}

interface NothingFoundProps {
  text: string;
  onWriteTo: () => void;
}

export function NothingFound({ text, onWriteTo }: NothingFoundProps) {
  return (
    <EmptyState
      action={
        <WhileAccepted>
          <Button onClick={onWriteTo} size="small">
            {t('chats.findPeople')}
          </Button>
        </WhileAccepted>
      }
      title={t('chats.noResults', { text })}
    />
  );
}

interface NothingPassesProps {
  filter: Exclude<ListFilter, 'all'>;
  onShowAll: () => void;
}

/** No chat passes the filter. */
export function NothingPasses({ filter, onShowAll }: NothingPassesProps) {
  return (
    <EmptyState
      action={
        <Button onClick={onShowAll} size="small">
          {t('chats.showAll')}
        </Button>
      }
      title={t(filter === 'unread' ? 'chats.noUnread' : 'chats.noGroups')}
    />
  );
}

interface ListFailureProps {
  sentence: string;
  onRetry: () => void;
}

export function ListFailure({ sentence, onRetry }: ListFailureProps) {
  return (
    <EmptyState
      action={
        <Button onClick={onRetry} size="small">
          {t('common.tryAgain')}
        </Button>
      }
      text={sentence}
      title={t('chats.notLoaded')}
    />
  );
}
