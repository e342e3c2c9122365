import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../shared/copy-text.ts';
import { t } from '../words.tsx';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  /** True if the text must not stay in the clipboard. */
  isSecret?: boolean;
  className?: string;
}

/** Display time of the result, in milliseconds. */
const SHOWN_FOR = 2_500;

/** Copies a text and confirms it for a moment. */
export function CopyButton({ text, label, isSecret = false, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<{ isDone: boolean; words: string } | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () =>
    copyText(text, isSecret).then(
      (words) => setOutcome({ isDone: true, words }),
      () => setOutcome({ isDone: false, words: t('app.copyRefused') }),
    );
  return (
    <>
      <IconButton
        className={className}
        icon={outcome?.isDone ? Check : Copy}
        label={outcome?.words ?? label}
        onClick={() => void copy()}
      />
      <span aria-live="polite" className="sr-only">
        {outcome?.words}
      </span>
    </>
  );
}
