import { SquarePen, UsersRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Me } from '../../bridge/shapes.ts';
import { useAsk } from '../bridge.ts';
import { ConnectionCard } from '../conversation/connection-card.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { SearchField } from '../design/search-field.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { useOnceKnown } from '../shared/use-once-known.ts';
import { t, textOfGist } from '../words.tsx';
import { ConversationList, ListSkeleton } from './conversation-list.tsx';
import { filterConversations } from './filter.ts';
import { ListFailure, NoConversations, NothingFound } from './list-notices.tsx';
import { MyRow } from './my-row.tsx';
import { RequestsHeader, RequestsRow } from './requests.tsx';

interface SidePaneProps {
  me: Me;
  echoOffered: boolean;
}

/** The row of the list that takes part in the Tab order. */
const TAB_STOP = '[data-row][tabindex="0"]';

/** Moves the focus to the first of these that is there. */
function focusFirst(pane: HTMLElement | null, selectors: readonly string[]): void {
  for (const selector of selectors) {
    const found = pane?.querySelector<HTMLElement>(selector);
    if (!found) continue;
    found.focus();
    return;
  }
}

/** The left pane: search, requests, conversations, the connection and the person's own row. */
export function SidePane({ me, echoOffered }: SidePaneProps) {
  const [search, setSearch] = useState('');
  const pane = useRef<HTMLElement>(null);
  const keys = useKeys();
  const { list, showList, openConversation, openDialog } = useNavigation();
  const { data: conversations, error, refetch } = useAsk('conversations.list', {});
  const requests = filterConversations(conversations ?? [], 'request', '', textOfGist);
  const showsRequests = list === 'requests' && requests.length > 0;
  // Who looks for someone does not have to know whether they have answered them already.
  const found = search ? filterConversations(conversations ?? [], 'request', search, textOfGist) : [];
  const shown = showsRequests
    ? requests
    : [...filterConversations(conversations ?? [], 'accepted', search, textOfGist), ...found];

  const requestsAreDone = list === 'requests' && conversations !== undefined && requests.length === 0;
  useEffect(() => {
    if (requestsAreDone) showList('conversations');
  }, [requestsAreDone, showList]);

  const showedRequests = useRef(showsRequests);
  useEffect(() => {
    if (showedRequests.current === showsRequests) return;
    showedRequests.current = showsRequests;
    // The rows of a virtual list are there a frame later. What was pressed is gone, and the focus with it.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      focusFirst(pane.current, showsRequests ? ['header button'] : [TAB_STOP, 'input']);
    });
    return () => cancelAnimationFrame(frame);
  }, [showsRequests]);

  const openFirst = useOnceKnown(conversations !== undefined, () => {
    const [first] = shown;
    if (first) openConversation(first.id);
  });
  const body = () => {
    if (error) return <ListFailure onRetry={() => void refetch()} sentence={error.message} />;
    if (!conversations) return <ListSkeleton />;
    if (shown.length > 0) {
      return (
        <ConversationList
          conversations={shown}
          isRequests={showsRequests}
          label={showsRequests ? t('chats.requests') : t('chats.chats')}
        />
      );
    }
    return (
      <div className="rail:hidden">
        {search ? (
          <NothingFound onWriteTo={() => openDialog('new-chat')} text={search} />
        ) : (
          <NoConversations echoOffered={echoOffered} onNewChat={() => openDialog('new-chat')} />
        )}
      </div>
    );
  };
  return (
    <nav aria-label={t('chats.chats')} className="@container/list flex h-full flex-col bg-canvas" ref={pane}>
      {showsRequests ? (
        <RequestsHeader onBack={() => showList('conversations')} />
      ) : (
        <header className="flex items-center gap-1 px-3 pt-3 pb-2 rail:flex-col">
          <div className="min-w-0 flex-1 rail:hidden">
            <SearchField
              label={t('chats.searchLabel')}
              onChange={(text) => {
                openFirst.forget();
                setSearch(text);
              }}
              onEnterList={() => focusFirst(pane.current, [TAB_STOP])}
              onLeave={openFirst.forget}
              onOpenFirst={openFirst.ask}
              placeholder={t('chats.search')}
              value={search}
            />
          </div>
          <IconButton icon={UsersRound} label={t('chats.groups')} onClick={() => openDialog('groups')} />
          <IconButton
            icon={SquarePen}
            keys={keys('newChat')}
            label={t('chats.newChat')}
            onClick={() => openDialog('new-chat')}
          />
        </header>
      )}
      <div className="flex min-h-0 flex-1 flex-col">
        {!showsRequests && !search && requests.length > 0 && (
          <RequestsRow onOpen={() => showList('requests')} requests={requests} />
        )}
        {body()}
      </div>
      <div className="rail:hidden">
        <ConnectionCard />
      </div>
      <MyRow me={me} />
    </nav>
  );
}
