import { CopyButton } from '../design/copy-button.tsx';
import { t } from '../words.tsx';

/** A code block with a copy button. */
export function CodeBlock({ language, text }: { language: string; text: string }) {
  return (
    <div
      className="my-1 flex min-w-0 items-start rounded-control bg-[light-dark(rgb(60_40_20/0.08),rgb(255_240_225/0.1))]"
      dir="ltr"
    >
      <code className="block min-w-0 flex-1 px-2.5 py-2 text-left font-mono text-secondary">
        {language && <span className="block select-none text-meta italic">{language}</span>}
        {text}
      </code>
      <CopyButton label={t('chat.copyCode')} text={text} />
    </div>
  );
}
