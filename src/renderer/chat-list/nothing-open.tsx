import { personName } from '../../base/person-name.ts';
import type { Me } from '../../bridge/shapes/account.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Mark } from '../design/mark.tsx';
import { InvitePeopleButton } from '../invites/invite-people-dialog.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { keysText } from '../shared/shortcuts.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

const PALETTE_KEYS = keysText('palette');

interface NothingOpenProps {
  me: Me;
  echoOffered: boolean;
}

/** The middle pane without an open chat; a newcomer sees a contact that answers. */
export function NothingOpen({ me, echoOffered }: NothingOpenProps) {
  const { openDialog } = useNavigation();
  const { data: conversations } = useBridgeQuery('conversations.list', {});
  const mayAct = useMayAct();
  if (!conversations) return null;
  if (!mayAct) {
    return (
      <EmptyState
        picture={<Mark className="opacity-90" size={64} />}
        {...(conversations.length > 0 && { text: t('chats.noneSelectedText', { keys: PALETTE_KEYS }) })}
        title={t('chats.noneSelected')}
      />
    );
  }
  const isNewcomer = conversations.every((conversation) => conversation.last === null);
  const welcome = t('chats.welcome', { name: personName(me) });
  const newChat = (
    <Button onClick={() => openDialog('new-chat')} tone={isNewcomer && echoOffered ? 'quiet' : 'plain'}>
      {t('chats.newChat')}
    </Button>
  );
  if (isNewcomer && echoOffered) {
    return (
      <EmptyState
        action={
          <>
            <EchoButton />
            {newChat}
            <InvitePeopleButton tone="quiet" />
          </>
        }
        picture={<Mark size={72} />}
        text={t('chats.welcomeText')}
        title={welcome}
      />
    );
  }
  return (
    <EmptyState
      action={
        isNewcomer ? (
          <>
            {newChat}
            <InvitePeopleButton tone="quiet" />
          </>
        ) : (
          newChat
        )
      }
      picture={<Mark className="opacity-90" size={64} />}
      text={
        conversations.length === 0
          ? t('chats.startText', { keys: PALETTE_KEYS })
          : t('chats.noneSelectedText', { keys: PALETTE_KEYS })
      }
      title={isNewcomer ? welcome : t('chats.noneSelected')}
    />
  );
}

/** Opens the conversation with the embedded relay's own contact. */
export function EchoButton() {
  const { openPerson, isOpening } = useOpenPerson();
  return (
    <Button busy={isOpening} onClick={() => openPerson('echo')} tone="primary">
      {t('chats.sayHello')}
    </Button>
  );
}
