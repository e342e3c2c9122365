import { useAsk } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Mark } from '../design/mark.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { modifierKey } from '../shared/use-shortcuts.ts';

/** The conversation pane while none is open; a newcomer is shown somebody who answers. */
export function NothingOpen({ echoOffered }: { echoOffered: boolean }) {
  const { openDialog } = useNavigation();
  const { data: conversations } = useAsk('conversations.list', {});
  if (!conversations) return null;
  const isNewcomer = conversations.every((conversation) => conversation.last === null);
  const newChat = (
    <Button onClick={() => openDialog('new-chat')} tone={isNewcomer && echoOffered ? 'quiet' : 'plain'}>
      New chat
    </Button>
  );
  if (isNewcomer && echoOffered) {
    return (
      <EmptyState
        action={
          <>
            <EchoButton />
            {newChat}
          </>
        }
        picture={<Mark size={72} />}
        text="@echo lives on your relay and answers everything, sealed like any other message. Say something to see how it feels."
        title="You are all set"
      />
    );
  }
  return (
    <EmptyState
      action={newChat}
      picture={<Mark className="opacity-90" size={64} />}
      text={
        conversations.length === 0
          ? `Write to somebody, or press ${modifierKey}K to find people, groups and settings.`
          : `Choose a conversation, or press ${modifierKey}K to find anything.`
      }
      title={isNewcomer ? 'You are all set' : 'Your messages are sealed'}
    />
  );
}

/** Opens the conversation with the embedded relay's own contact. */
export function EchoButton() {
  const { openPerson, isOpening } = useOpenPerson();
  return (
    <Button busy={isOpening} onClick={() => openPerson('echo')} tone="primary">
      Say hello to @echo
    </Button>
  );
}
