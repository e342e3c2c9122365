/** Expanded long messages. Stored outside of the timeline's rows, which are removed during scrolling. */
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { t } from '../words.tsx';

interface Whole {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
}

const Context = createContext<Whole>({ ids: new Set(), toggle: () => undefined });

interface WholeMessagesProps {
  /** Called before a message is expanded or collapsed. */
  onToggle: () => void;
  children: ReactNode;
}

export function WholeMessages({ onToggle, children }: WholeMessagesProps) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(onToggle);
  useLayoutEffect(() => {
    latest.current = onToggle;
  });
  // A new object would render all messages again.
  const value = useMemo(() => {
    const toggle = (id: string) => {
      latest.current();
      setIds((before) => (before.has(id) ? before.difference(new Set([id])) : before.union(new Set([id]))));
    };
    return { ids, toggle };
  }, [ids]);
  return <Context value={value}>{children}</Context>;
}

/** The expanded state of a long message, and its setter. */
export function useShownWhole(id: string): { isWhole: boolean; toggle: () => void } {
  const { ids, toggle } = useContext(Context);
  return { isWhole: ids.has(id), toggle: () => toggle(id) };
}

/** Below a long message: expands or collapses it. */
export function ShowAll({ id }: { id: string }) {
  const { isWhole, toggle } = useShownWhole(id);
  const button = useRef<HTMLButtonElement>(null);
  const wasWhole = useRef(isWhole);
  useLayoutEffect(() => {
    // The content below the button is far away now: scrolls to the end of the message.
    if (wasWhole.current && !isWhole) button.current?.scrollIntoView({ block: 'center' });
    wasWhole.current = isWhole;
  }, [isWhole]);
  return (
    <button
      aria-expanded={isWhole}
      className="-mx-1.5 mt-1 block min-h-8 rounded-control px-1.5 font-semibold text-secondary text-ink underline underline-offset-2 hover:bg-sunken"
      onClick={toggle}
      ref={button}
      type="button"
    >
      {isWhole ? t('chat.showLess') : t('chat.showAll')}
    </button>
  );
}
