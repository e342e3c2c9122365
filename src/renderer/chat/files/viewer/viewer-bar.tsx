import { Dialog } from '@base-ui/react/dialog';
import { Copy, Forward, MessageSquare, Save, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { IconButton } from '../../../design/icon-button.tsx';
import { authorName } from '../../../people/author-name.ts';
import { fullTime } from '../../../shared/time.ts';
import { t } from '../../../words.tsx';
import { useActions } from '../../actions/action-state.tsx';
import { isForwardable } from '../../actions/action-table.ts';
import { saveFile } from '../save-file.ts';
import { type FileOf, isHere, placeOf, usePictureFile } from '../use-file.ts';
import { copyPicture } from './copy-picture.ts';
import { useShowMessage } from './use-show-message.ts';
import type { Zoom } from './use-zoom.ts';
import { LARGEST, STEP } from './zoom.ts';

interface ViewerBarProps {
  of: FileOf;
  zoom: Zoom;
  closeButton: RefObject<HTMLButtonElement | null>;
}

/** The sender of a picture, and its actions. */
export function ViewerBar({ of, zoom, closeButton }: ViewerBarProps) {
  const { message, file } = of;
  const { open, close, maySend } = useActions();
  const showMessage = useShowMessage();
  const [note, setNote] = useState('');
  const { data } = usePictureFile(of);
  const { scale } = zoom.view;
  const isReady = isHere(file) && data?.head != null;
  const copy = () => {
    if (!data) return;
    copyPicture(data.path).then(
      () => setNote(t('app.copied')),
      () => setNote(t('app.copyRefused')),
    );
  };
  const show = () => {
    close('viewer');
    showMessage(message);
  };
  const isBot = message.bot?.name ?? (message.trust === 'token' ? '' : null);
  return (
    <div className="flex items-start border-line border-b bg-surface px-2 py-1.5">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <div className="min-w-0 flex-1 basis-32 ps-2">
          <bdi className="block truncate font-semibold text-secondary">
            {message.state === 'received' ? authorName(message.author, isBot) : t('message.you')}
          </bdi>
          <time className="block text-ink-soft text-meta" dateTime={new Date(message.at).toISOString()}>
            {fullTime(message.at)}
          </time>
        </div>
        <p aria-live="polite" className="text-meta">
          {note}
        </p>
        <div className="flex flex-wrap">
          <IconButton
            disabled={scale === 1}
            icon={ZoomOut}
            keys="−"
            label={t('files.zoomOut')}
            onClick={() => zoom.zoomBy(1 / STEP)}
          />
          <IconButton
            disabled={!isReady || scale >= LARGEST}
            icon={ZoomIn}
            keys="+"
            label={t('files.zoomIn')}
            onClick={() => zoom.zoomBy(STEP)}
          />
          <IconButton
            disabled={!isReady}
            icon={Save}
            label={t('files.savePicture')}
            onClick={() => void saveFile(placeOf(of), file.name)}
          />
          <IconButton disabled={!isReady} icon={Copy} label={t('files.copyPicture')} onClick={copy} />
          {isForwardable(message) && maySend && (
            <IconButton
              icon={Forward}
              label={t('message.forward')}
              onClick={() => open({ kind: 'forward', messages: [message] })}
            />
          )}
          <IconButton icon={MessageSquare} label={t('files.showInChat')} onClick={show} />
        </div>
      </div>
      <Dialog.Close render={<IconButton icon={X} keys="Esc" label={t('common.close')} ref={closeButton} />} />
    </div>
  );
}
