import type { ReactNode } from 'react';

/** A titled part of the pane. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-secondary">{title}</h3>
      {children}
    </section>
  );
}
