import { Timer } from 'lucide-react';

/** Mark of a disappearing message, with its lifetime. */
export function TimerMark({ label }: { label: string }) {
  return (
    <Timer aria-label={label} className="size-3.5 shrink-0 text-ink-soft" role="img" strokeWidth={2.2}>
      <title>{label}</title>
    </Timer>
  );
}
