import { Film as FilmIcon } from 'lucide-react';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Section } from '../../people/details-section.tsx';
import type { ShownPicture } from '../../shared/pictures/read-picture.ts';
import { fileSize } from '../../shared/size.ts';
import { shortDate } from '../../shared/time.ts';
import { WhileAccepted } from '../../shared/while-accepted.tsx';
import { t } from '../../words.tsx';
import { FileCard } from './file-card.tsx';
import { FirstFrame } from './first-frame.tsx';
import { Placeholder } from './placeholder.tsx';
import { useSmallAddress } from './reduced-picture.ts';
import { type FileOf, usePictureFile } from './use-file.ts';
import { useListedFiles } from './use-listed-files.ts';
import { openPicture, showMessage } from './viewer/chat-place.ts';

const MEDIA_PAGE = 9;
const FILES_PAGE = 5;

/** Pictures, films and files of a chat, newest first. */
export function SharedFiles({ conversation: { id, state } }: { conversation: Conversation }) {
  const media = useListedFiles(id, 'media', MEDIA_PAGE);
  const others = useListedFiles(id, 'other', FILES_PAGE);
  // A request shows nothing of its files.
  if (state === 'request' || !media.isLoaded || !others.isLoaded) return null;
  return (
    <Section title={t('files.shared')}>
      <Expiring conversationId={id} />
      <h4 className="text-ink-soft text-secondary">{t('files.media')}</h4>
      {media.files.length === 0 ? (
        <p className="text-ink-soft">{t('files.noMedia')}</p>
      ) : (
        <ul className="grid grid-cols-3 gap-1">
          {media.files.map((of) => (
            <li
              className="relative aspect-square overflow-hidden rounded-chip bg-sunken"
              key={`${of.message.id}/${of.index}`}
            >
              <Tile of={of} />
            </li>
          ))}
        </ul>
      )}
      <More isBusy={media.isFetching} isOffered={media.hasMore} onMore={media.loadMore} />
      <h4 className="mt-2 text-ink-soft text-secondary">{t('files.others')}</h4>
      {others.files.length === 0 ? (
        <p className="text-ink-soft">{t('files.noOthers')}</p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {others.files.map((of) => (
            <li key={`${of.message.id}/${of.index}`}>
              <FileCard of={of} />
            </li>
          ))}
        </ul>
      )}
      <More isBusy={others.isFetching} isOffered={others.hasMore} onMore={others.loadMore} />
    </Section>
  );
}

/** A notice about files that the server deletes soon. */
function Expiring({ conversationId }: { conversationId: string }) {
  const { data } = useBridgeQuery('files.expiring', { conversationId });
  const download = useCommand('files.downloadExpiring');
  if (!data || data.until === null) return null;
  return (
    <div className="flex flex-col items-start gap-1.5 rounded-control bg-warning-soft px-3 py-2.5">
      <p className="font-semibold text-secondary">{t('files.expiring', { count: data.count })}</p>
      <p className="text-meta">
        {t('files.expiringText', { size: fileSize(data.bytes), date: shortDate(data.until) })}
      </p>
      <WhileAccepted>
        <Button busy={download.isPending} onClick={() => download.mutate({ conversationId })} size="small">
          {t('files.downloadAll')}
        </Button>
      </WhileAccepted>
    </div>
  );
}

/** A picture, which opens in the viewer; a film, which is played in the chat. */
function Tile({ of }: { of: FileOf }) {
  const { file, message, index } = of;
  const { data } = usePictureFile(of);
  const isPicture = file.type === 'image';
  const alt = file.alt ?? t('files.pictureOf', { name: file.name });
  return (
    <button
      aria-haspopup={isPicture ? 'dialog' : undefined}
      aria-label={isPicture ? undefined : t('files.showOf', { name: file.name })}
      className="absolute inset-0 size-full -outline-offset-4"
      data-picture={`${message.id}/${index}`}
      onClick={() => (isPicture ? openPicture(message, index) : showMessage(message))}
      type="button"
    >
      <Placeholder file={file} />
      {isPicture && data?.head ? (
        <Small alt={alt} picture={data} />
      ) : (
        isPicture && <span className="sr-only">{alt}</span>
      )}
      {!isPicture && (
        <FilmIcon aria-hidden="true" className="absolute inset-0 m-auto size-6 text-ink" strokeWidth={1.7} />
      )}
    </button>
  );
}

/** An animation is paused in the list. */
function Small({ picture, alt }: { picture: ShownPicture; alt: string }) {
  const address = useSmallAddress(picture);
  const place = 'absolute inset-0 size-full object-cover';
  if (picture.head?.isAnimated) return <FirstFrame alt={alt} className={place} path={picture.path} />;
  return (
    <img
      alt={alt}
      className={classNames(place, address === null && 'opacity-0')}
      decoding="async"
      loading="lazy"
      src={address ?? undefined}
    />
  );
}

interface MoreProps {
  isOffered: boolean;
  isBusy: boolean;
  onMore: () => void;
}

function More({ isOffered, isBusy, onMore }: MoreProps) {
  if (!isOffered) return null;
  return (
    <Button busy={isBusy} className="self-start" onClick={onMore} size="small">
      {t('files.more')}
    </Button>
  );
}
