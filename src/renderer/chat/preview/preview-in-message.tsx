import type { LinkPreview } from '../../../bridge/shapes/link-preview.ts';
import { t } from '../../words.tsx';
import { useAskAboutLink } from '../outside-link.tsx';
import { PreviewCard } from './preview-card.tsx';

/** The sender's preview of a link. It asks before it opens the link. */
export function PreviewInMessage({ preview }: { preview: LinkPreview }) {
  const ask = useAskAboutLink();
  const { host, title, url } = preview;
  const { href } = new URL(url);
  return (
    <button
      aria-label={t('chat.previewOpen', { host, title })}
      className="my-1.5 flex w-[22rem] max-w-full whitespace-normal rounded-control border border-line-strong/60 bg-surface p-2 text-ink hover:border-ink-soft"
      data-link={href}
      data-preview
      onClick={() => ask(href)}
      type="button"
    >
      <PreviewCard card={preview} />
    </button>
  );
}
