import { useState } from 'react';
import { useBridgeEvent } from '../bridge.ts';
import { plainText } from '../conversation/markdown-words.ts';
import { authorName } from '../people/author-name.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { t, textOfGist } from '../words.tsx';

/** Of a message that is read out, in characters. */
const longest = 2000;

/** Tells screen readers what arrived: the text where its conversation is open, else only from whom. */
export function Announcer() {
  const { conversationId } = useNavigation();
  const [announcement, setAnnouncement] = useState('');
  useBridgeEvent('message.arrived', (message) => {
    const author = authorName(message.from, message.bot);
    if (message.conversationId === conversationId)
      setAnnouncement(t('app.arrived', { author, text: plainText(textOfGist(message.gist), longest) }));
    else
      setAnnouncement(
        message.request ? t('app.arrivedRequest', { author }) : t('app.arrivedElsewhere', { author }),
      );
  });
  // What disappears is not read out any more.
  useBridgeEvent('messages.expired', () => setAnnouncement(''));
  return (
    <p aria-label={t('app.newMessages')} className="sr-only" role="log">
      {announcement}
    </p>
  );
}
