import type { ReactNode } from 'react';

interface EmptyStateProps {
  picture?: ReactNode;
  title: string;
  text?: string;
  /** One clear thing to do. */
  action?: ReactNode;
}

export function EmptyState({ picture, title, text, action }: EmptyStateProps) {
  return (
    <div className="rise m-auto flex max-w-sm flex-col items-center gap-2 p-8 text-center">
      {picture && <div className="mb-3">{picture}</div>}
      <h2 className="font-semibold text-[1.0625rem]">{title}</h2>
      {text && <p className="text-balance text-ink-soft leading-relaxed">{text}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
