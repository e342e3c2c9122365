import { Dialog } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import {
  Bell,
  BellOff,
  Keyboard,
  Lock,
  type LucideIcon,
  Moon,
  Settings,
  SquarePen,
  Sun,
  SunMoon,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { toSearchText } from '../../base/search-text.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { filterConversations } from '../chat-list/filter.ts';
import { Button } from '../design/button.tsx';
import { focusAtOnce } from '../design/focus-at-once.ts';
import { useLockNow } from '../lock/lock-now.tsx';
import { ConversationLine } from '../people/conversation-line.tsx';
import { NoteLine, useNoteToSelf } from '../people/note-to-self.tsx';
import { PersonLine } from '../people/person-button.tsx';
import { useKnownPeople } from '../people/use-known-people.ts';
import { useOpenPerson } from '../people/use-open-person.ts';
import { usePeopleSearch } from '../people/use-people-search.ts';
import { wordsOf } from '../shared/conversation.ts';
import { distinctConversationName } from '../shared/distinct-conversations.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { isFoundByHandle } from '../shared/person.ts';
import { useKeys } from '../shared/use-keys.ts';
import { useOnceKnown } from '../shared/use-once-known.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

/** Finds chats, people and commands by a few letters. */
export function CommandPalette() {
  const popup = useRef<HTMLDivElement>(null);
  const { dialog, closeDialog } = useNavigation();
  return (
    <Dialog.Root onOpenChange={(open) => !open && closeDialog()} open={dialog === 'palette'}>
      <Dialog.Portal>
        <Dialog.Backdrop className="appear-plain fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Dialog.Popup
          className="modal-window appear fixed inset-x-3 top-[max(0.75rem,12dvh)] z-40 mx-auto max-w-[34rem] overflow-hidden rounded-dialog bg-surface shadow-dialog outline-none"
          initialFocus={() => focusAtOnce(popup.current?.querySelector('input'))}
          ref={popup}
        >
          <Dialog.Title className="sr-only">{t('app.palette')}</Dialog.Title>
          <Palette />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Palette() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { openConversation } = useNavigation();
  const { openPerson, openKnown } = useOpenPerson();
  const { data: conversations = [], isLoading: conversationsLoad } = useBridgeQuery('conversations.list', {});
  // Archived chats are found too.
  const found = filterConversations(conversations, 'accepted', text, wordsOf)
    .filter(({ archived }) => !archived || text.trim() !== '')
    .slice(0, 6);
  const known = new Set(conversations.flatMap((each) => (each.kind === 'direct' ? [each.peer.address] : [])));
  const mayAct = useMayAct();
  const { people: listed, isLoading: peopleLoad, error, retry } = usePeopleSearch(mayAct ? text : '');
  const me = useNoteToSelf(text);
  const { people: met } = useKnownPeople(text);
  const metAddresses = new Set(met.map(({ address }) => address));
  const people = [...met, ...listed.filter(({ address }) => !metAddresses.has(address))].filter(
    (person) => mayAct && !known.has(person.address) && person.address !== me?.address,
  );
  const open = ({ address }: Person) =>
    metAddresses.has(address) ? openKnown(address) : openPerson(address);
  // An existing chat with oneself is found like the others; before, its own name finds it here.
  const note = me && !found.some((each) => each.kind === 'direct' && each.isSelf) ? me : null;
  const actions = useActions(text);
  const isFound = found.length + people.length > 0 || note !== null;
  const openFirst = useOnceKnown(!conversationsLoad && (isFound || !peopleLoad), () => {
    const [conversation] = found;
    // A person found by the server by display name requires a preview.
    const person = people.find((each) => metAddresses.has(each.address) || isFoundByHandle(each, text));
    if (conversation) openConversation(conversation.id);
    else if (note) openKnown(note.address);
    else if (person) open(person);
  });
  // The list handles keys for its items.
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if (key !== 'Enter' || nativeEvent.isComposing || isFound || actions.length > 0) return;
    openFirst.request();
  };
  return (
    <Command label={t('app.palette')} loop onKeyDown={onKeyDown} shouldFilter={false}>
      <Command.Input
        className="h-12 w-full border-line border-b bg-transparent px-4 text-pane outline-none"
        onValueChange={(typed) => {
          openFirst.forget();
          setText(typed);
        }}
        placeholder={t('app.paletteField')}
        ref={field}
        value={text}
      />
      <Command.List label={t('app.paletteResults')} className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2">
        {!conversationsLoad && !peopleLoad && !error && (
          <Command.Empty className="p-6 text-center text-ink-soft">{t('app.paletteNothing')}</Command.Empty>
        )}
        {found.length > 0 && (
          <Group heading={t('app.paletteChats')}>
            {found.map((conversation) => (
              <Item
                key={conversation.id}
                onSelect={() => openConversation(conversation.id)}
                value={conversation.id}
              >
                <ConversationLine conversation={conversation} />
              </Item>
            ))}
          </Group>
        )}
        {note && (
          <Group heading={t('app.paletteChats')}>
            <Item onSelect={() => openKnown(note.address)} value="note-to-self">
              <NoteLine person={note} />
            </Item>
          </Group>
        )}
        {people.length > 0 && (
          <Group heading={t('app.palettePeople')}>
            {people.map((person) => (
              <Item key={person.address} onSelect={() => open(person)} value={person.address}>
                <PersonLine person={person} />
              </Item>
            ))}
          </Group>
        )}
        {actions.length > 0 && (
          <Group heading={t('app.paletteCommands')}>
            {actions.map(({ name, icon: Icon, keys, run }) => (
              <Item key={name} onSelect={run} value={name}>
                <span className="grid size-8 place-items-center text-ink-soft">
                  <Icon aria-hidden="true" className="size-[1.15rem]" />
                </span>
                <span className="flex-1">{name}</span>
                {keys && <kbd className="font-sans text-ink-soft text-meta">{keys}</kbd>}
              </Item>
            ))}
          </Group>
        )}
      </Command.List>
      {error && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-4 py-3">
          <p className="min-w-0 flex-1 basis-52 text-ink-soft" role="alert">
            {error.message}
          </p>
          <Button
            onClick={() => {
              retry();
              // The button disappears with the error.
              field.current?.focus();
            }}
            onKeyDown={(event) => event.stopPropagation()}
            size="small"
          >
            {t('common.tryAgain')}
          </Button>
        </div>
      )}
    </Command>
  );
}

interface Action {
  name: string;
  icon: LucideIcon;
  keys?: string | undefined;
  run: () => void;
}

/** Actions whose name contains the text. */
function useActions(text: string): Action[] {
  const keys = useKeys();
  const mayAct = useMayAct();
  const { lock } = useLockNow();
  const { openDialog, closeDialog, conversationId } = useNavigation();
  const { data: conversations = [] } = useBridgeQuery('conversations.list', {});
  const current = conversations.find(({ id }) => id === conversationId);
  const { mutate: setMuted } = useCommand('conversations.setMuted', { onSuccess: closeDialog });
  const { mutate: setSettings } = useCommand('settings.set');
  const theme = (name: 'light' | 'dark' | 'system') => () => {
    setSettings({ theme: name });
    closeDialog();
  };
  const actions: Action[] = [
    ...(mayAct
      ? [
          {
            name: t('app.newChat'),
            icon: SquarePen,
            keys: keys('newChat'),
            run: () => openDialog('new-chat'),
          },
          { name: t('groups.new'), icon: UserRoundPlus, run: () => openDialog('new-group') },
          { name: t('app.groups'), icon: UsersRound, run: () => openDialog('groups') },
        ]
      : []),
    ...(current
      ? [
          {
            name: t(current.mutedUntil !== null ? 'app.unmute' : 'app.mute', {
              chat: distinctConversationName(conversations, current),
            }),
            icon: current.mutedUntil !== null ? Bell : BellOff,
            run: () => setMuted({ id: current.id, until: current.mutedUntil === null ? 'always' : null }),
          },
        ]
      : []),
    {
      name: t('app.settings'),
      icon: Settings,
      keys: keys('settings'),
      run: () => openDialog('settings'),
    },
    { name: t('app.keys'), icon: Keyboard, keys: keys('shortcuts'), run: () => openDialog('shortcuts') },
    { name: t('app.lock'), icon: Lock, keys: keys('lock'), run: lock },
    { name: t('app.lightTheme'), icon: Sun, run: theme('light') },
    { name: t('app.darkTheme'), icon: Moon, run: theme('dark') },
    { name: t('app.systemTheme'), icon: SunMoon, run: theme('system') },
  ];
  const wanted = toSearchText(text.trim());
  return actions.filter((action) => toSearchText(action.name).includes(wanted));
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      className="pb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink-soft [&_[cmdk-group-heading]]:text-meta"
      heading={heading}
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  value: string;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5 data-[selected=true]:bg-sunken"
      onSelect={onSelect}
      value={value}
    >
      {children}
    </Command.Item>
  );
}
