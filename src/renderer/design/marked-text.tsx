import type { ReactNode } from 'react';

interface MarkedTextProps {
  text: string;
  /** Places in the text, in order, without overlaps. */
  marks: readonly { from: number; to: number }[];
}

/** A text with some of its parts marked, such as the words of a search. */
export function MarkedText({ text, marks }: MarkedTextProps): ReactNode {
  if (marks.length === 0) return text;
  return marks.map(({ from, to }, index) => (
    <span key={from}>
      {text.slice(marks[index - 1]?.to ?? 0, from)}
      <mark className="rounded-[0.2em] bg-highlight font-medium text-ink">{text.slice(from, to)}</mark>
      {index === marks.length - 1 && text.slice(to)}
    </span>
  ));
}
