import { SquarePen, UsersRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Me } from '../../bridge/shapes.ts';
import { useNavigation } from '../app/navigation.tsx';
import { modifierKey } from '../app/use-shortcuts.ts';
import { useAsk } from '../bridge.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Mark } from '../design/mark.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { ConversationList, ListSkeleton } from './conversation-list.tsx';
import { filterConversations } from './filter.ts';
import { ListFailure, NoConversations, NothingFound } from './list-notices.tsx';
import { MyRow } from './my-row.tsx';
import { RequestsHeader, RequestsRow } from './requests.tsx';
import { SearchField } from './search-field.tsx';

interface SidePaneProps {
  me: Me;
  echoOffered: boolean;
}

/** The left pane: search, requests, conversations, the connection and the person's own row. */
export function SidePane({ me, echoOffered }: SidePaneProps) {
  const [search, setSearch] = useState('');
  const { list, showList, openDialog } = useNavigation();
  const { data: conversations, error, refetch } = useAsk('conversations.list', {});
  const requests = filterConversations(conversations ?? [], 'request', '');
  const showsRequests = list === 'requests' && requests.length > 0;
  const shown = showsRequests ? requests : filterConversations(conversations ?? [], 'accepted', search);

  const requestsAreDone = list === 'requests' && conversations !== undefined && requests.length === 0;
  useEffect(() => {
    if (requestsAreDone) showList('conversations');
  }, [requestsAreDone, showList]);

  const body = () => {
    if (error) return <ListFailure onRetry={() => void refetch()} sentence={error.message} />;
    if (!conversations) return <ListSkeleton />;
    if (shown.length > 0) {
      return <ConversationList conversations={shown} label={showsRequests ? 'Requests' : 'Conversations'} />;
    }
    return search ? (
      <NothingFound onWriteTo={() => openDialog('new-chat')} text={search} />
    ) : (
      <NoConversations echoOffered={echoOffered} onNewChat={() => openDialog('new-chat')} />
    );
  };
  return (
    <nav aria-label="Conversations" className="flex h-full flex-col bg-canvas">
      {showsRequests ? (
        <RequestsHeader onBack={() => showList('conversations')} />
      ) : (
        <header className="flex flex-col gap-2 px-3 pt-3 pb-2">
          <div className="flex items-center gap-2.5 pl-1.5">
            <Mark size={28} />
            <span className="flex-1 font-semibold text-lg tracking-tight">Waxwing</span>
            <IconButton icon={UsersRound} label="Groups" onClick={() => openDialog('groups')} />
            <IconButton
              icon={SquarePen}
              keys={`${modifierKey}N`}
              label="New chat"
              onClick={() => openDialog('new-chat')}
            />
          </div>
          <SearchField onChange={setSearch} value={search} />
        </header>
      )}
      <div className="flex min-h-0 flex-1 flex-col">
        {!showsRequests && !search && requests.length > 0 && (
          <RequestsRow onOpen={() => showList('requests')} requests={requests} />
        )}
        {body()}
      </div>
      <ConnectionCard />
      <MyRow me={me} />
    </nav>
  );
}
