import { useBridgeQuery, useCommand } from '../bridge.ts';
import { filterConversations } from '../chat-list/filter.ts';
import { Button } from '../design/button.tsx';
import { PersonLine } from '../people/person-button.tsx';
import { wordsOf } from '../shared/conversation.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { t } from '../words.tsx';

/** The blocked people, each with a button to unblock. */
export function BlockedPeople() {
  const { data: conversations = [] } = useBridgeQuery('conversations.list', {});
  const unblock = useCommand('conversations.unblock');
  const blocked = filterConversations(conversations, 'blocked', '', wordsOf).flatMap((conversation) =>
    conversation.kind === 'direct' ? [conversation] : [],
  );
  return (
    <>
      <h4 className="font-semibold text-secondary">{t('settings.blocked')}</h4>
      {blocked.length === 0 ? (
        <p className="text-ink-soft">{t('settings.blockedNone')}</p>
      ) : (
        <ul>
          {blocked.map(({ id, peer }) => (
            <li className="flex items-center gap-3 py-1.5" key={id}>
              <PersonLine person={peer} />
              <WhileAccepted>
                <Button onClick={() => unblock.mutate({ id })} size="small">
                  {t('chat.unblock')}
                </Button>
              </WhileAccepted>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
