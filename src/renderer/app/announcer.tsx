import { useState } from 'react';
import { useBridgeEvent } from '../bridge.ts';
import { plainText } from '../conversation/markdown.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { personName } from '../shared/person.ts';

/** Of a message that is read out, in characters. */
const longest = 2000;

/** Tells screen readers what arrived: the text where its conversation is open, else only from whom. */
export function Announcer() {
  const { conversationId } = useNavigation();
  const [announcement, setAnnouncement] = useState('');
  useBridgeEvent('message.arrived', (message) => {
    const name = personName(message.from);
    if (message.conversationId === conversationId)
      setAnnouncement(`${name}: ${plainText(message.text, longest)}`);
    else setAnnouncement(message.request ? `${name} would like to write to you` : `New message from ${name}`);
  });
  return (
    <p aria-label="New messages" className="sr-only" role="log">
      {announcement}
    </p>
  );
}
