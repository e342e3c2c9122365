import { X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { FileName } from '../../../design/file-name.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Progress } from '../../../design/progress.tsx';
import { fileSize } from '../../../shared/size.ts';
import { t } from '../../../words.tsx';
import { fileIcon } from '../../files/file-icon.ts';
import { sizeProblem } from './add-files.ts';
import { MoveHandle } from './move-handle.tsx';
import { changeFile, moveFile, removeFiles, stopJob, type Tray, type TrayFile } from './tray.ts';

/** Limit of a description, in UTF-16 units. */
const MAX_DESCRIPTION = 500;

interface TrayListProps {
  conversationId: string;
  tray: Tray;
  /** Called after a button that had the focus disappeared: one that removed a file, or canceled sending. */
  returnFocus: () => void;
}

/** Above the text: the files that will be sent, in order. */
export function TrayList({ conversationId, tray, returnFocus }: TrayListProps) {
  const { files, notice, sending } = tray;
  return (
    <>
      <p aria-live="polite" className="px-3 pb-1 text-danger-ink text-secondary empty:hidden">
        {notice}
      </p>
      {files.length > 0 && (
        <div className="mb-1 rounded-control bg-sunken">
          <ul aria-label={t('files.tray')} className="max-h-[min(18rem,34dvh)] overflow-y-auto p-1.5">
            {files.map((each, place) => (
              <Row
                conversationId={conversationId}
                count={files.length}
                each={each}
                isSending={sending !== null}
                key={each.key}
                returnFocus={returnFocus}
                place={place}
              />
            ))}
          </ul>
          {sending && (
            <div className="flex items-center gap-3 px-3 pb-2">
              <Progress done={sending.done} label={t('files.preparing')} total={sending.total} />
              <Button
                onClick={() => {
                  stopJob(conversationId);
                  // The button disappears, and with it the focus.
                  returnFocus();
                }}
                size="small"
              >
                {t('files.stopPreparing')}
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}

const CLEANED = {
  image: 'files.cleaned',
  video: 'files.mediaCleaned',
  audio: 'files.soundCleaned',
  voice: 'files.soundCleaned',
  other: 'files.cleaned',
} as const;

interface RowProps {
  conversationId: string;
  each: TrayFile;
  /** From 0. */
  place: number;
  count: number;
  isSending: boolean;
  returnFocus: () => void;
}

function Row({ conversationId, each, place, count, isSending, returnFocus }: RowProps) {
  const { key, file, asFile, clean, hasMetadata, picture, problem } = each;
  const change = (part: Partial<TrayFile>) => changeFile(conversationId, key, part);
  const isUnchanged = asFile || (hasMetadata && !clean);
  return (
    <li className="flex items-start gap-2.5 rounded-control p-1.5">
      <Face each={each} />
      <div className="min-w-0 flex-1">
        <p className="flex gap-2 text-secondary">
          <FileName className="font-semibold" name={file.name} />
          <span className="shrink-0 text-ink-soft">{fileSize(file.size)}</span>
        </p>
        {picture && (
          <div className="flex flex-wrap items-center gap-x-4">
            {!asFile && (
              <Description each={each} isDisabled={isSending} onChange={(alt) => change({ alt })} />
            )}
            <AsFile
              change={change}
              each={each}
              isDisabled={isSending}
              label={t('files.asFile')}
              name={t('files.asFileOf', { name: file.name })}
            />
          </div>
        )}
        {clean && (
          <AsFile
            change={change}
            each={each}
            isDisabled={isSending}
            label={t('files.keepMetadata')}
            name={t('files.keepMetadataOf', { name: file.name })}
          />
        )}
        {clean && !asFile && <p className="text-ink-soft text-meta">{t(CLEANED[each.type])}</p>}
        {isUnchanged && <p className="text-meta text-warning-ink">{t('files.unchanged')}</p>}
        <p aria-live="polite" className="text-danger-ink text-secondary empty:hidden">
          {problem}
        </p>
      </div>
      {count > 1 && (
        <MoveHandle
          count={count}
          isDisabled={isSending}
          name={file.name}
          onMove={(to) => moveFile(conversationId, key, to)}
          place={place}
        />
      )}
      <IconButton
        disabled={isSending}
        icon={X}
        label={t('files.remove', { name: file.name })}
        onClick={() => {
          removeFiles(conversationId, [key]);
          returnFocus();
        }}
        size="small"
      />
    </li>
  );
}

interface AsFileProps {
  each: TrayFile;
  isDisabled: boolean;
  change: (part: Partial<TrayFile>) => void;
  label: string;
  /** Accessible name. */
  name: string;
}

/** The choice of sending a file unchanged. */
function AsFile({ each, isDisabled, change, label, name }: AsFileProps) {
  const { asFile } = each;
  const id = useId();
  return (
    <label className="flex min-h-7 items-center gap-1.5 text-secondary" htmlFor={id}>
      <input
        aria-label={name}
        checked={asFile}
        className="size-4 accent-accent"
        disabled={isDisabled}
        id={id}
        onChange={({ target }) =>
          change({ asFile: target.checked, problem: target.checked ? sizeProblem(each) : null })
        }
        type="checkbox"
      />
      {label}
    </label>
  );
}

/** A small picture, or an icon. */
function Face({ each: { asFile, file, picture, preview, type } }: { each: TrayFile }) {
  if (preview !== null && !asFile) {
    return <img alt="" className="size-14 shrink-0 rounded-chip bg-raised object-cover" src={preview} />;
  }
  const Icon = fileIcon(asFile && picture ? 'other' : type, file.name);
  return (
    <span className="grid size-14 shrink-0 place-items-center rounded-chip bg-raised text-ink-soft">
      <Icon aria-hidden="true" className="size-6" strokeWidth={1.6} />
    </span>
  );
}

interface DescriptionProps {
  each: TrayFile;
  isDisabled: boolean;
  onChange: (alt: string) => void;
}

/**
 * The description of a picture: a button, then a field. The button stays for screen readers: Orca does not follow the
 * focus away from an element that disappears, and would not accept text in the field.
 */
function Description({ each: { alt, file }, isDisabled, onChange }: DescriptionProps) {
  const [isOpen, setOpen] = useState(alt !== '');
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        aria-expanded={isOpen}
        aria-label={`${t('files.describe')}: ${file.name}`}
        className={
          isOpen
            ? 'sr-only'
            : 'min-h-7 font-semibold text-accent-ink text-secondary underline underline-offset-2'
        }
        disabled={isDisabled}
        onClick={() => {
          setOpen(true);
          field.current?.focus();
        }}
        tabIndex={isOpen ? -1 : undefined}
        type="button"
      >
        {t('files.describe')}
      </button>
      {isOpen && (
        <input
          aria-label={t('files.description', { name: file.name })}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the button for it was pressed
          autoFocus={alt === ''}
          className="my-0.5 h-8 w-full min-w-0 rounded-control border border-line-strong bg-raised px-2.5 text-interface"
          dir="auto"
          disabled={isDisabled}
          maxLength={MAX_DESCRIPTION}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            // Enter would send the message.
            if (event.key === 'Enter') event.preventDefault();
          }}
          placeholder={t('files.descriptionHelp')}
          ref={field}
          value={alt}
        />
      )}
    </>
  );
}
