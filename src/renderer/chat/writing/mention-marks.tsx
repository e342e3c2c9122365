import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Written } from './written.ts';

interface MentionMarksProps {
  field: RefObject<HTMLTextAreaElement | null>;
  written: Written;
  /** The field's classes that position the text. */
  className: string;
}

/**
 * Marks mentions in a field, behind it: the same text, of which only the marks are visible. A screen reader has the
 * text in the field, and announced the chosen person.
 */
export function MentionMarks({ field, written: { text, mentions }, className }: MentionMarksProps) {
  const marks = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: source } = field;
    if (!source || mentions.length === 0) return;
    const follow = () => {
      if (!marks.current) return;
      // Without the scroll bar, so that lines break at the same places.
      marks.current.style.width = `${source.clientWidth}px`;
      marks.current.scrollTop = source.scrollTop;
    };
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(source);
    source.addEventListener('scroll', follow);
    return () => {
      observer.disconnect();
      source.removeEventListener('scroll', follow);
    };
  });
  if (mentions.length === 0) return null;
  return (
    <div
      aria-hidden="true"
      className={`${className} pointer-events-none absolute inset-y-0 start-0 select-none overflow-hidden whitespace-pre-wrap text-transparent [forced-color-adjust:none] [overflow-wrap:break-word] [unicode-bidi:plaintext]`}
      dir="auto"
      ref={marks}
    >
      {mentions.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(mentions[index - 1]?.to ?? 0, from)}
          <mark className="rounded-chip bg-selection text-transparent forced-colors:bg-transparent forced-colors:outline-1 forced-colors:outline-[Highlight]">
            {text.slice(from, to)}
          </mark>
        </span>
      ))}
      {/* A line break at the end needs a character behind it to make a line. */}
      {`${text.slice(mentions.at(-1)?.to ?? 0)}\u200b`}
    </div>
  );
}
