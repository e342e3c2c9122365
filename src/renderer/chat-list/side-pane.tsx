import { SquarePen, UsersRound } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { hasFilters, parseQuery } from '../../base/search-query.ts';
import type { Me } from '../../bridge/shapes/account.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { useBridgeQuery } from '../bridge.ts';
import { ConnectionCard } from '../chat/connection-card.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { SearchField } from '../design/search-field.tsx';
import { NoteLine, useNoteToSelf } from '../people/note-to-self.tsx';
import { PeopleList } from '../people/people-list.tsx';
import { useKnownPeople } from '../people/use-known-people.ts';
import { useOpenPerson } from '../people/use-open-person.ts';
import { conversationName, wordsOf } from '../shared/conversation.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { useOnceKnown } from '../shared/use-once-known.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { t } from '../words.tsx';
import { ConversationList, ListSkeleton } from './conversation-list.tsx';
import { filterConversations, type ListFilter, mainConversations, passes, withName } from './filter.ts';
import { ListFilters } from './list-filters.tsx';
import { AllArchived, ListFailure, NoConversations, NothingFound, NothingPasses } from './list-notices.tsx';
import { type FirstResult, MessageResults } from './message-results.tsx';
import { MyRow } from './my-row.tsx';
import { type OtherList, OtherListHeader, OtherLists, otherListTitle } from './other-lists.tsx';

interface SidePaneProps {
  me: Me;
  echoOffered: boolean;
}

/** The row in the Tab order. */
const TAB_STOP = '[data-row][tabindex="0"]';
const PERSON = '[data-people] button';
const HIT_TAB_STOP = '[data-hit][tabindex="0"]';

/** Moves the focus to the first existing one of these. @returns false if none exists */
function focusFirst(pane: HTMLElement | null, selectors: readonly string[]): boolean {
  for (const selector of selectors) {
    const found = pane?.querySelector<HTMLElement>(selector);
    if (!found) continue;
    found.focus();
    return true;
  }
  return false;
}

interface SearchResultsProps {
  /** Undefined for a search in messages only. */
  chats: ReactNode | undefined;
  /** Number of chats. */
  count: number;
  people: ReactNode;
  messages: ReactNode;
}

/** The chats that a search finds, below them the people without a chat, and the messages. */
function SearchResults({ chats, count, people, messages }: SearchResultsProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col rail:hidden">
      {chats !== undefined && (
        <>
          <h2 className="px-4 pt-1 pb-1 font-semibold text-ink-soft text-meta">{t('chats.chats')}</h2>
          {/* A few rows; the list scrolls. */}
          <div
            className="flex max-h-[45%] shrink-0 flex-col"
            style={{ height: count > 0 ? `${count * 4.25}rem` : undefined }}
          >
            {chats}
          </div>
        </>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto">
        {people}
        <h2 className="px-4 pt-2 pb-1 font-semibold text-ink-soft text-meta">{t('search.messages')}</h2>
        {messages}
      </div>
    </div>
  );
}

/** The left pane: search, requests, conversations, the connection and the person's own row. */
export function SidePane({ me: own, echoOffered }: SidePaneProps) {
  const [search, setSearch] = useState('');
  const pane = useRef<HTMLElement>(null);
  const keys = useKeys();
  const [filter, setFilter] = useState<ListFilter>('all');
  const { list, showList, conversationId, openConversation, openMessage, openDialog } = useNavigation();
  const { openKnown } = useOpenPerson();
  const mayAct = useMayAct();
  const { data: conversations, error, refetch } = useBridgeQuery('conversations.list', {});
  const all = conversations ?? [];
  const others: Record<OtherList, Conversation[]> = {
    requests: filterConversations(all, 'request', '', wordsOf),
    archived: filterConversations(all, 'accepted', '', wordsOf).filter(({ archived }) => archived),
  };
  const other = list !== 'conversations' && others[list].length > 0 ? list : null;
  const main = mainConversations(all, wordsOf);
  // The search includes requests and archived chats: the person need not remember which list has them.
  const found = (['accepted', 'request'] as const).flatMap((state) =>
    search ? filterConversations(all, state, search, wordsOf) : [],
  );
  const passing = search ? found : main.filter((each) => passes(each, filter, conversationId));
  const shown = other ? others[other] : passing;
  const isSearching = !other && search.trim() !== '';
  const me = useNoteToSelf(search);
  // Before the first note the chat with oneself does not exist.
  const note = found.some((each) => each.kind === 'direct' && each.isSelf) ? null : me;
  const known = useKnownPeople(isSearching && !hasFilters(parseQuery(search)) ? search : '');
  const hasChatWith = ({ address }: Person) =>
    all.some((each) => each.kind === 'direct' && each.peer.address === address);
  const people = isSearching && mayAct ? known.people.filter((person) => !hasChatWith(person)) : [];

  const isDone = list !== 'conversations' && conversations !== undefined && others[list].length === 0;
  useEffect(() => {
    if (isDone) showList('conversations');
  }, [isDone, showList]);

  const showedBefore = useRef(other);
  useEffect(() => {
    if (showedBefore.current === other) return;
    showedBefore.current = other;
    // The rows of a virtual list appear a frame later. The pressed button is gone, and the focus with it.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      focusFirst(pane.current, other ? ['header button'] : [TAB_STOP, 'input']);
    });
    return () => cancelAnimationFrame(frame);
  }, [other]);

  const [firstMessage, setFirstMessage] = useState<FirstResult | null>(null);
  // Of the last message, which also finds a chat, the message itself is meant.
  const named = isSearching ? withName(found, search, (each) => [conversationName(each)]) : shown;
  const hasChat = named.length > 0 || note !== null;
  const isPersonKnown = hasChat || !isSearching || !known.isLoading;
  const isMessageKnown = hasChat || people.length > 0 || !isSearching || firstMessage?.text === search;
  const openFirst = useOnceKnown(conversations !== undefined && isPersonKnown && isMessageKnown, () => {
    const hit = firstMessage?.text === search ? firstMessage.hit : null;
    const person = note ?? people[0];
    const first = named[0] ?? (hit || person ? undefined : shown[0]);
    if (first) openConversation(first.id);
    else if (person) openKnown(person.address);
    // The results stay: the person may want the next one.
    else if (hit) return openMessage(hit.conversationId, hit.id);
    else return;
    setSearch('');
    // The row of an opening chat gets the focus automatically.
    if (first?.id === conversationId) document.querySelector<HTMLElement>('[data-composer]')?.focus();
  });
  const enterList = () => {
    const enter = () => focusFirst(pane.current, [TAB_STOP, PERSON, HIT_TAB_STOP]);
    // The rows of new results appear a frame after their text was typed.
    if (!enter()) requestAnimationFrame(() => requestAnimationFrame(enter));
  };
  const body = () => {
    if (error) return <ListFailure onRetry={() => void refetch()} sentence={error.message} />;
    if (!conversations) return <ListSkeleton />;
    if (shown.length > 0) {
      return (
        <ConversationList
          conversations={shown}
          isRequests={other === 'requests'}
          label={other ? otherListTitle(other) : t('chats.chats')}
        />
      );
    }
    return <div className="rail:hidden">{!note && notice()}</div>;
  };
  const notice = () => {
    if (search) return <NothingFound onWriteTo={() => openDialog('new-chat')} text={search} />;
    if (filter !== 'all' && main.length > 0)
      return <NothingPasses filter={filter} onShowAll={() => setFilter('all')} />;
    if (others.archived.length > 0) return <AllArchived onNewChat={() => openDialog('new-chat')} />;
    return <NoConversations echoOffered={echoOffered} onNewChat={() => openDialog('new-chat')} />;
  };
  const chatResults = () => {
    if (shown.length === 0 && (people.length > 0 || hasFilters(parseQuery(search)))) return undefined;
    return shown.length > 0 || !note ? body() : null;
  };
  return (
    <nav
      aria-label={t('chats.chats')}
      className="@container/list flex h-full flex-col overflow-y-auto overflow-x-hidden bg-canvas"
      ref={pane}
    >
      {other ? (
        <OtherListHeader list={other} onBack={() => showList('conversations')} />
      ) : (
        <header className="flex items-center gap-1 px-3 pt-3 pb-2 rail:flex-col">
          <div className="min-w-0 flex-1 rail:hidden">
            <SearchField
              label={t('chats.searchLabel')}
              onChange={(text) => {
                openFirst.forget();
                setSearch(text);
              }}
              onEnterList={enterList}
              onEscape={() => document.querySelector<HTMLElement>('[data-composer]')?.focus()}
              onLeave={openFirst.forget}
              isMain
              onOpenFirst={openFirst.request}
              placeholder={t('chats.search')}
              value={search}
            />
          </div>
          <WhileAccepted>
            <IconButton icon={UsersRound} label={t('chats.groups')} onClick={() => openDialog('groups')} />
            <IconButton
              icon={SquarePen}
              keys={keys('newChat')}
              label={t('chats.newChat')}
              onClick={() => openDialog('new-chat')}
            />
          </WhileAccepted>
        </header>
      )}
      <div className="flex min-h-64 flex-1 flex-col">
        {!other && !search && main.length > 0 && <ListFilters chosen={filter} onChoose={setFilter} />}
        {!other && !search && filter === 'all' && (
          <OtherLists lists={others} onOpen={(name) => showList(name)} />
        )}
        {note && (
          <button
            className="mx-2 flex items-center gap-3 rounded-control p-2.5 text-start hover:bg-sunken"
            onClick={() => openKnown(note.address)}
            type="button"
          >
            <NoteLine person={note} />
          </button>
        )}
        {isSearching && conversations ? (
          <SearchResults
            chats={chatResults()}
            count={shown.length}
            people={
              people.length > 0 && (
                <div className="px-2 pt-2">
                  <PeopleList
                    key={search}
                    level={2}
                    onChoose={openKnown}
                    people={people}
                    title={t('search.people')}
                  />
                </div>
              )
            }
            messages={<MessageResults conversations={all} onFirst={setFirstMessage} text={search} />}
          />
        ) : (
          body()
        )}
      </div>
      <div className="rail:hidden">
        <ConnectionCard />
      </div>
      <MyRow me={own} />
    </nav>
  );
}
