/** Keeps the query cache current: an event names the changes, and only those are queried again. */
import type { Query, QueryClient } from '@tanstack/react-query';
import type { Input, Output, ProcedureName } from '../bridge/contract.ts';
import type { Conversation } from '../bridge/shapes/conversation.ts';
import { callBridge, queryKey } from './bridge.ts';
import { leastPause, nextPause } from './refresh-pause.ts';
import { refreshQueries } from './refresh-queries.ts';

/** The most conversations queried one by one; with more, the whole list is. */
const MAX_ONE_BY_ONE = 8;

/**
 * Subscribes to the events of the bridge. Returns the function that unsubscribes.
 * @param later starts a timer of some milliseconds
 */
export function followEngine(
  client: QueryClient,
  later: (work: () => void, ms: number) => void = (work, ms) => setTimeout(work, ms),
): () => void {
  const refresh = (name: ProcedureName, isFrequent = false) =>
    refreshQueries(client, { queryKey: queryKey(name) }, isFrequent);
  /** Queries those answers of a procedure again that match. */
  const refreshThose = <P extends ProcedureName>(
    name: P,
    concerns: (input: Input<P>, answer: Output<P> | undefined) => boolean,
    isFrequent = false,
  ) => {
    const predicate = ({ queryKey: [, input], state }: Query) =>
      concerns(input as Input<P>, state.data as Output<P> | undefined);
    refreshQueries(client, { queryKey: queryKey(name), predicate }, isFrequent);
  };
  /** Ids of the conversations that were requested, until the pause after it ends; true if they have changed since. */
  const requested = new Map<string, boolean>();
  const refreshOne = async (id: string, pause = leastPause): Promise<void> => {
    const isOnItsWay = requested.has(id);
    requested.set(id, isOnItsWay);
    if (isOnItsWay) return;
    await refreshConversation(client, id);
    await new Promise<void>((resolve) => later(resolve, pause));
    const hasChanged = requested.get(id);
    requested.delete(id);
    if (hasChanged) await refreshOne(id, nextPause(pause));
  };
  const stops = [
    window.waxwing.on('app.changed', () => {
      refresh('app.state');
      refresh('conversations.defaultTimer');
    }),
    window.waxwing.on(
      'bridge.resumed',
      // A timeline refreshes itself, without moving.
      () => refreshQueries(client, { predicate: ({ queryKey: [name] }) => name !== 'timeline' }),
    ),
    window.waxwing.on('connection.changed', (connection) => {
      const before = client.getQueryData<typeof connection>(queryKey('connection.get', {}));
      client.setQueryData(queryKey('connection.get', {}), connection);
      // Shown errors may be those of the outage.
      if (connection.state === 'online' && before?.state !== 'online')
        refreshQueries(client, { type: 'active', predicate: ({ state }) => state.status === 'error' });
    }),
    window.waxwing.on('devices.changed', () => {
      refresh('devices.list');
      refresh('devices.changes');
      refresh('devices.added');
    }),
    window.waxwing.on('invites.changed', () => refresh('invites.list')),
    window.waxwing.on('settings.changed', (settings) =>
      client.setQueryData(queryKey('settings.get', {}), settings),
    ),
    window.waxwing.on('desktop.changed', () => refresh('host.desktop')),
    window.waxwing.on('updates.changed', (state) =>
      client.setQueryData(queryKey('updates.state', {}), state),
    ),
    window.waxwing.on('lock.changed', () => refresh('host.info')),
    window.waxwing.on('conversations.changed', ({ ids }) => {
      // A deleted chat has no files.
      refresh('storage.get', true);
      if (ids.length > MAX_ONE_BY_ONE) {
        refresh('conversations.list');
        refreshThose('conversations.get', ({ id }) => ids.includes(id));
      } else {
        for (const id of ids) void refreshOne(id);
      }
    }),
    window.waxwing.on('messages.changed', ({ conversationId }) => {
      const isHere = (input: { conversationId: string }) => input.conversationId === conversationId;
      refreshThose('messages.pinned', isHere, true);
      refresh('messages.versions', true);
      refreshThose('files.list', isHere, true);
      refreshThose('files.expiring', isHere, true);
      refreshThose('links.list', isHere, true);
      refresh('storage.get', true);
      refreshThose('messages.info', (_input, info) => info?.conversationId === conversationId, true);
      // A found message may be edited or deleted.
      refresh('search.messages', true);
      refreshThose('search.inConversation', isHere, true);
    }),
    window.waxwing.on('backup.changed', () => refresh('backup.get')),
    window.waxwing.on('history.changed', () => refresh('history.get')),
    window.waxwing.on('search.completed', () => {
      refresh('search.messages');
      refresh('search.inConversation');
    }),
    // Frequent while many people join a group. The engine collects them for a tenth of a second.
    window.waxwing.on('people.changed', ({ addresses }) => {
      const changed = new Set(addresses);
      refreshThose('people.details', ({ address }) => changed.has(address), true);
      // A panel shows for each member whether sealing for them is possible.
      const hasOne = (_input: unknown, details: Output<'groups.details'> | undefined) =>
        Boolean(details?.members.some(({ person }) => changed.has(person.address)));
      refreshThose('groups.details', hasOne, true);
    }),
    window.waxwing.on('groups.changed', ({ conversationIds }) => {
      const isChanged = (input: { conversationId: string }) => conversationIds.includes(input.conversationId);
      refreshThose('groups.details', isChanged, true);
      refreshThose('groups.invitedCount', isChanged, true);
      refreshThose('groups.links', isChanged, true);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Queries one conversation, and updates the cached lists. */
async function refreshConversation(client: QueryClient, id: string): Promise<void> {
  const [one, list] = [queryKey('conversations.get', { id }), queryKey('conversations.list', {})];
  try {
    const conversation = await callBridge('conversations.get', { id });
    change<Conversation>(client, one, () => conversation);
    change<Conversation[]>(client, list, (known) => withConversation(known, conversation));
  } catch {
    // The conversation is deleted or unavailable: its components get the reason.
    refreshQueries(client, { queryKey: one });
    refreshQueries(client, { queryKey: list });
  }
}

/** Updates a cached answer; one that failed or is on its way is queried again. */
function change<T>(client: QueryClient, key: readonly unknown[], next: (known: T) => T): void {
  if (client.getQueryState(key)?.status !== 'success') refreshQueries(client, { queryKey: key, exact: true });
  else client.setQueryData<T>(key, (known) => known && next(known));
}

/** A list is sorted by the component that shows it. */
function withConversation(list: Conversation[], conversation: Conversation): Conversation[] {
  const isKnown = list.some(({ id }) => id === conversation.id);
  return isKnown
    ? list.map((each) => (each.id === conversation.id ? conversation : each))
    : [conversation, ...list];
}
