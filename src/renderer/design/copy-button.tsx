import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  className?: string;
}

/** Copies a text and says for a moment that it did. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  const said = { copied: 'Copied', refused: 'Copying was not allowed' };
  return (
    <>
      <IconButton
        className={className}
        icon={outcome === 'copied' ? Check : Copy}
        label={outcome === null ? label : said[outcome]}
        onClick={() => void copy()}
      />
      <span aria-live="polite" className="sr-only">
        {outcome && said[outcome]}
      </span>
    </>
  );
}
