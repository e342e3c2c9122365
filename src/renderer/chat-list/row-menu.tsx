import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  Clock3,
  Mail,
  MailOpen,
  MessageSquare,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { useCommand } from '../bridge.ts';
import { type MenuAnchor, MenuAt, MenuItem, Submenu } from '../design/menu.tsx';
import { muteChoices } from '../people/mute-choices.ts';
import { useDistinctName } from '../shared/distinct-conversations.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { isUnread } from './filter.ts';

interface RowMenuProps {
  conversation: Conversation;
  anchor: MenuAnchor;
  /** The element focused afterwards. */
  finalFocus: () => HTMLElement | null;
  onClose: () => void;
  /** Called for deleting the chat; a confirmation follows. */
  onDelete: () => void;
}

/** The actions for an unopened chat. */
export function RowMenu({ conversation, anchor, finalFocus, onClose, onDelete }: RowMenuProps) {
  const { id, state, pinned, archived, last } = conversation;
  const { openConversation } = useNavigation();
  const chat = useDistinctName(conversation);
  const isOfList = state === 'accepted';
  return (
    <MenuAt anchor={anchor} finalFocus={finalFocus} label={t('chats.actions', { chat })} onClose={onClose}>
      <MenuItem icon={MessageSquare} label={t('chats.open')} onClick={() => openConversation(id)} />
      {isOfList && last && <ReadItem conversation={conversation} />}
      {isOfList && <PinItem id={id} pinned={pinned} />}
      {isOfList && <MuteItem conversation={conversation} />}
      {isOfList && <ArchiveItem archived={archived} id={id} />}
      <MenuItem icon={Trash2} isDangerous label={t('chat.deleteChat')} onClick={onDelete} />
    </MenuAt>
  );
}

function ReadItem({ conversation }: { conversation: Conversation }) {
  const { id } = conversation;
  const { mutate: markRead } = useCommand('conversations.markRead');
  const { mutate: markUnread } = useCommand('conversations.markUnread');
  return isUnread(conversation) ? (
    <MenuItem icon={MailOpen} label={t('chats.markRead')} onClick={() => markRead({ id, upTo: null })} />
  ) : (
    <MenuItem icon={Mail} label={t('chats.markUnread')} onClick={() => markUnread({ id, from: null })} />
  );
}

function PinItem({ id, pinned }: { id: string; pinned: boolean }) {
  const { mutate: setPinned } = useCommand('conversations.setPinned');
  return (
    <MenuItem
      icon={pinned ? PinOff : Pin}
      label={pinned ? t('chats.unpin') : t('chats.pin')}
      onClick={() => setPinned({ id, pinned: !pinned })}
    />
  );
}

function ArchiveItem({ id, archived }: { id: string; archived: boolean }) {
  const { mutate: setArchived } = useCommand('conversations.setArchived');
  return (
    <MenuItem
      icon={archived ? ArchiveRestore : Archive}
      label={archived ? t('chats.unarchive') : t('chats.archive')}
      onClick={() => setArchived({ id, archived: !archived })}
    />
  );
}

function MuteItem({ conversation: { id, mutedUntil } }: { conversation: Conversation }) {
  const { mutate: setMuted } = useCommand('conversations.setMuted');
  if (mutedUntil !== null)
    return <MenuItem icon={Bell} label={t('chat.unmute')} onClick={() => setMuted({ id, until: null })} />;
  return (
    <Submenu icon={BellOff} label={t('chat.mute')}>
      {muteChoices.map(({ label, until }) => (
        <MenuItem
          icon={until(0) === 'always' ? BellOff : Clock3}
          key={label}
          label={label}
          onClick={() => setMuted({ id, until: until(Date.now()) })}
        />
      ))}
    </Submenu>
  );
}
