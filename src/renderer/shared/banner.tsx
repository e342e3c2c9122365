import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  notice: { place: 'bg-warning-soft', icon: 'text-warning-ink' },
  danger: { place: 'bg-danger-soft', icon: 'text-danger-ink' },
} as const;

interface BannerProps {
  label: string;
  icon: LucideIcon;
  tone: keyof typeof TONES;
  /** The message. */
  text: ReactNode;
  /** Actions. */
  children?: ReactNode;
}

/** A strip under the header of a chat that reports a problem. */
export function Banner({ label, icon: Icon, tone, text, children }: BannerProps) {
  const { place, icon } = TONES[tone];
  return (
    <section
      aria-label={label}
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2.5 ${place}`}
    >
      <Icon aria-hidden="true" className={`size-5 shrink-0 ${icon}`} />
      <p className="min-w-48 flex-1 [overflow-wrap:anywhere]">{text}</p>
      {children}
    </section>
  );
}
