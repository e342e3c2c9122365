import type { LinkPreview } from '../../../bridge/shapes/link-preview.ts';
import { useThumbnail } from '../files/placeholder.tsx';

type Card = Pick<LinkPreview, 'title' | 'description' | 'image' | 'host' | 'url'>;

/** The title, text and picture of a page, as its sender claims, with the host and the link. Loads nothing. */
export function PreviewCard({ card: { title, description, image, host, url } }: { card: Card }) {
  const picture = useThumbnail(image);
  return (
    <span className="flex min-w-0 flex-1 gap-2.5 text-start">
      {picture !== null && (
        <img alt="" className="size-16 shrink-0 rounded-control bg-sunken object-cover" src={picture} />
      )}
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-semibold text-meta" dir="ltr">
          {host}
        </bdi>
        <span className="line-clamp-2 font-semibold text-secondary [overflow-wrap:anywhere]" dir="auto">
          {title}
        </span>
        {description !== null && (
          <span className="line-clamp-2 text-secondary [overflow-wrap:anywhere]" dir="auto">
            {description}
          </span>
        )}
        <bdi className="block truncate text-ink-soft text-meta" dir="ltr">
          {url}
        </bdi>
      </span>
    </span>
  );
}
