import type { ReactNode } from 'react';

interface EmptyStateProps {
  picture?: ReactNode;
  title: string;
  text?: string;
  /** The main action. */
  action?: ReactNode;
  /** `h1` if it is the only content of the page. */
  heading?: 'h1' | 'h2';
}

export function EmptyState({ picture, title, text, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="rise m-auto flex max-w-sm flex-col items-center gap-2 p-8 text-center">
      {picture && <div className="mb-3">{picture}</div>}
      <Heading className="max-w-full font-semibold text-pane [overflow-wrap:anywhere]">{title}</Heading>
      {text && <p className="max-w-full text-balance text-ink-soft [overflow-wrap:anywhere]">{text}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
