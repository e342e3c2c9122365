import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';

interface ChoiceCardProps {
  /** Cards of one name exclude each other. */
  group: string;
  icon: LucideIcon;
  title: string;
  text: string;
  checked: boolean;
  onChoose: () => void;
  /** Further fields if this one is chosen. */
  children?: ReactNode;
}

/** A radio button with an explanation. */
export function ChoiceCard({ group, icon: Icon, title, text, checked, onChoose, children }: ChoiceCardProps) {
  const id = useId();
  return (
    <div className="rounded-menu border border-line bg-raised transition-shadow has-[[type=radio]:checked]:border-accent-ink has-[[type=radio]:checked]:shadow-[0_0_0_1px_var(--color-accent-ink)] has-[[type=radio]:focus-visible]:outline-2 has-[[type=radio]:focus-visible]:outline-focus has-[[type=radio]:focus-visible]:outline-offset-3">
      <label className="flex cursor-pointer items-start gap-3.5 p-4">
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" strokeWidth={1.8} />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold text-interface">{title}</span>
          <span className="block text-ink-soft" id={id}>
            {text}
          </span>
        </span>
        <input
          aria-describedby={id}
          aria-label={title}
          checked={checked}
          className="mt-1 size-4 shrink-0 accent-accent outline-none"
          name={group}
          onChange={onChoose}
          type="radio"
        />
      </label>
      {checked && children && <div className="px-4 pb-3.5 ps-[3.125rem]">{children}</div>}
    </div>
  );
}
