import { useEffect, useRef, useState } from 'react';
import { plainText } from '../../base/markdown/words.ts';
import { useBridgeEvent } from '../bridge.ts';
import { authorName } from '../people/author-name.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { summaryText, t } from '../words.tsx';

/** The longest text read out, in characters. */
const longest = 2000;

/** Time for collecting messages before they are read out together, in milliseconds. */
const GATHERED_FOR = 500;
/** The same after a burst of which only the number was read out. */
const GATHERED_IN_BURSTS = 5_000;
/**
 * Time after which an announced text leaves the page, in milliseconds: screen readers have it by then, and a deleted message must
 * not stay in the page. React Aria uses the same time.
 */
const REMOVED_AFTER = 7_000;
/** Of more messages than this, only the number is read out. */
const MAX_READ = 3;

interface Waiting {
  count: number;
  /** The first texts. */
  texts: string[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

const nothingWaits: Waiting = { count: 0, texts: [], timer: undefined };

/** Announces new messages to screen readers: the text if its conversation is open, else only the sender. */
export function Announcer() {
  const { conversationId } = useNavigation();
  // Each line is announced as a new element, even if it repeats the one before.
  const [lines, setLines] = useState<readonly { id: number; text: string }[]>([]);
  const waiting = useRef(nothingWaits);
  const nextId = useRef(0);
  const isBurst = useRef(false);

  const announce = () => {
    const { count, texts } = waiting.current;
    waiting.current = nothingWaits;
    isBurst.current = count > MAX_READ;
    const lines = isBurst.current ? [t('app.arrivedMany', { count })] : texts;
    setLines(lines.map((text) => ({ id: nextId.current++, text })));
  };
  const gather = (textOf: () => string) => {
    const { count, texts, timer } = waiting.current;
    waiting.current = {
      count: count + 1,
      texts: texts.length < MAX_READ ? [...texts, textOf()] : texts,
      timer: timer ?? setTimeout(announce, isBurst.current ? GATHERED_IN_BURSTS : GATHERED_FOR),
    };
  };
  useEffect(() => () => clearTimeout(waiting.current.timer), []);
  useEffect(() => {
    if (lines.length === 0) return;
    const timer = setTimeout(() => setLines([]), REMOVED_AFTER);
    return () => clearTimeout(timer);
  }, [lines]);

  useBridgeEvent('message.arrived', (message) => {
    gather(() => {
      const author = authorName({ ...message.from, hasNamesake: message.hasNamesake }, message.bot);
      if (message.conversationId === conversationId)
        return t('app.arrived', { author, text: plainText(summaryText(message.summary), longest) });
      return message.request ? t('app.arrivedRequest', { author }) : t('app.arrivedElsewhere', { author });
    });
  });
  // Disappeared messages are not read out.
  useBridgeEvent('messages.expired', () => {
    clearTimeout(waiting.current.timer);
    waiting.current = nothingWaits;
    setLines([]);
  });
  return (
    // Dialogs hide the rest of the page from screen readers, except elements with `aria-live`.
    <div aria-label={t('app.newMessages')} aria-live="polite" className="sr-only" role="log">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
