import { SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { isBlank } from '../../base/invisible.ts';
import { textParts } from '../../base/text-parts.ts';
import { longest } from '../../bridge/longest.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { WrittenMention } from '../../bridge/shapes/message.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { directionOf } from '../design/text-direction.ts';
import { EmojiButton } from '../emoji/emoji-button.tsx';
import { useDistinctName } from '../shared/distinct-conversations.ts';
import { isShortcut, modEnter } from '../shared/shortcuts.ts';
import { t } from '../words.tsx';
import { useActions } from './actions/action-state.tsx';
import { ComposingStrip } from './composing-strip.tsx';
import { isSeenAsRequest, RequestNote } from './request-note.tsx';
import { isSendingKey } from './sending-key.ts';
import { useComposerText } from './use-composer-text.ts';
import { useFittingHeight } from './use-fitting-height.ts';
import type { TimelineControl } from './use-timeline.ts';
import { AddButton } from './writing/files/add-button.tsx';
import { DropOverlay } from './writing/files/drop-overlay.tsx';
import { TrayList } from './writing/files/tray-list.tsx';
import { useFileSending } from './writing/files/use-file-sending.ts';
import { MentionMarks } from './writing/mention-marks.tsx';
import { PreviewStrip } from './writing/preview/preview-strip.tsx';
import { useLinkPreview } from './writing/preview/use-link-preview.ts';
import { putNextItem, putPasted, putShortcode } from './writing/put.ts';
import { RoundButton } from './writing/round-button.tsx';
import { useCompletion } from './writing/use-completion.tsx';
import { useFormatting } from './writing/use-formatting.tsx';
import { RecordButton } from './writing/voice/record-button.tsx';
import { maySupportRecording } from './writing/voice/recorder.ts';
import { RecordingStrip } from './writing/voice/recording-strip.tsx';
import { keepVoice } from './writing/voice/send-voice.ts';
import { useRecording } from './writing/voice/use-recording.ts';
import { isSame, nothingWritten, trimmed, writtenIn } from './writing/written.ts';

/** The longest text for `messages.send`, in bytes of UTF-8. */
const longestText = 16_384;
/** The longest caption of files, in bytes of UTF-8. */
const longestCaption = 4_096;
/** The room from which it is shown. */
const COUNTED = 1000;
/** Calmer than other fields: it is focused most of the time. */
const composerFrame =
  'relative rounded-[1.375rem] border border-line-strong/60 bg-raised shadow-raised transition-colors focus-within:border-ink-soft';

/** The position of the text in the field. */
const textPlace = 'ps-1 pe-4 py-[0.6875rem] text-message';
/** The height of the field with one line, in which the buttons beside it are centered at each size of text. */
const oneLine = 'min-h-[calc(1.375rem+var(--text-message)*var(--text-message--line-height))]';

interface ComposerProps {
  conversation: Conversation;
  timeline: TimelineControl;
  /** True while the chat opens. Later, as after unblocking in the details, the field gets the focus only if no element has it. */
  focusesAtOpening: boolean;
}

/** The message field. Enter sends; Shift and Enter starts a new line, in a list the next item. */
export function Composer({ conversation, timeline, focusesAtOpening }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { composing, compose, composer } = useActions();
  const { written, write, follow, foretell } = useComposerText(conversation);
  const { text } = written;
  const mentioned = useRef<WrittenMention>(null);
  const completion = useCompletion({
    ...{ conversation, field, written },
    onMention: (mention) => {
      mentioned.current = mention;
    },
  });
  const formatting = useFormatting({ field, written, onFormat: foretell });
  const { data: settings } = useBridgeQuery('settings.get', {});
  const chat = useDistinctName(conversation);
  const send = useCommand('messages.send', {
    onSuccess: (message) => {
      if (timeline.timeline?.hasNewer) void timeline.moveToNewest();
      else timeline.put(message);
    },
    onError: (_error, input) => {
      if (field.current?.value === '') write({ text: input.text, mentions: input.mentions ?? [] });
    },
  });
  const message = trimmed(written);
  const body = message.text;
  const size = useMemo(() => new TextEncoder().encode(body).length, [body]);
  const recording = useRecording((recorded) => void keepVoice(conversation.id, recorded));
  const isRecording = recording.state.phase !== 'none';
  const files = useFileSending({ conversation, written, write, timeline, isRecording });
  const isEditing = composing?.kind === 'edit';
  const hasFiles = !isEditing && files.tray.files.length > 0;
  const isCaption = hasFiles || (isEditing && composing.message.files.length > 0);
  const most = isCaption ? longestCaption : longestText;
  const maySend = (isCaption || !isBlank(body)) && size <= most && files.tray.sending === null;
  const linkPreview = useLinkPreview(text, settings?.linkPreviews === true && !isEditing && !hasFiles);
  const isIdle = text === '' && !hasFiles && files.tray.sending === null;
  const mayRecord = isIdle && !isEditing && maySupportRecording();
  const edit = useCommand('messages.edit', {
    onSuccess: (message) => {
      timeline.put(message);
      compose(null);
    },
  });
  const submit = (inParts = false) => {
    if ((!maySend && !inParts) || edit.isPending) return;
    if (composing?.kind === 'edit') {
      if (isSame(message, writtenIn(composing.message))) compose(null);
      else edit.mutate({ id: composing.message.id, text: body, mentions: [...message.mentions] });
      return;
    }
    write(nothingWritten);
    compose(null);
    if (hasFiles) {
      files.send({ written: message, replyTo: composing?.message ?? null });
      field.current?.focus();
      return;
    }
    files.clearNotice();
    const replyTo = composing?.message.id;
    const answer = replyTo && { replyTo };
    send.mutate({
      ...{ conversationId: conversation.id, text: body, mentions: [...message.mentions] },
      ...answer,
      ...(inParts ? { inParts } : linkPreview.preview && { preview: linkPreview.preview }),
    });
    field.current?.focus();
  };

  const sendVoice = () => {
    files.sendVoice(recording.finish(), composing?.kind === 'reply' ? composing.message : null);
    if (composing?.kind === 'reply') compose(null);
  };

  useEffect(() => {
    composer.current = field.current;
    return () => {
      composer.current = null;
    };
  }, [composer]);
  useEffect(() => {
    if (composing) field.current?.focus();
  }, [composing]);
  useEffect(() => {
    if (!focusesAtOpening && document.activeElement !== document.body) return;
    // On a touch screen, focus would open the keyboard before anything was read.
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus();
  }, [focusesAtOpening]);
  const pauseRecording = useEffectEvent(recording.pause);
  useEffect(() => {
    if (isEditing) pauseRecording();
  }, [isEditing]);
  useFittingHeight(field, text);
  const recordButton = useRef<HTMLButtonElement>(null);
  const focusAfterRecording = useEffectEvent(() => {
    if (recording.problem === '') field.current?.focus();
    // The canceling button is gone.
    else if (document.activeElement === document.body) recordButton.current?.focus();
  });
  useEffect(() => {
    if (isRecording) return () => focusAfterRecording();
  }, [isRecording]);

  const sendWith = settings?.sendWith ?? 'enter';
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (completion.onKeyDown(event) || formatting.onKeyDown(event)) return;
    if (event.key === 'Escape' && composing && !event.nativeEvent.isComposing) {
      event.preventDefault();
      compose(null);
      return;
    }
    if (isShortcut('editLast', event.nativeEvent) && text === '' && !composing) {
      const last = timeline.timeline?.messages.findLast(({ can, text }) => can.edit && text !== '');
      if (!last) return;
      event.preventDefault();
      compose({ kind: 'edit', message: last });
      return;
    }
    if (!isSendingKey(event.nativeEvent, sendWith)) {
      putNextItem(event);
      return;
    }
    event.preventDefault();
    submit();
  };
  const onType = (typed: HTMLTextAreaElement, { inputType = '', isComposing }: InputEvent) => {
    const next = follow(typed, inputType, mentioned.current);
    mentioned.current = null;
    if (isComposing) return;
    completion.onType(next, typed.selectionEnd);
    if (inputType === 'insertText') void putShortcode(typed);
  };
  return (
    <form
      aria-label={t('chat.write')}
      className="shrink-0 px-3 pt-1 pb-3 sm:px-6 sm:pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="mx-auto max-w-[54rem]">
        <RequestNote conversation={conversation} id="composer-request" />
        {composing && <ComposingStrip composing={composing} onCancel={() => compose(null)} />}
        {!isEditing && (
          <TrayList
            conversationId={conversation.id}
            returnFocus={() => field.current?.focus()}
            tray={files.tray}
          />
        )}
        <PreviewStrip
          onRemove={() => {
            linkPreview.remove();
            field.current?.focus();
          }}
          preview={linkPreview.preview}
        />
        <RecordingStrip className={composerFrame} onSend={sendVoice} recording={recording} />
        <div className={composerFrame} hidden={isRecording && !isEditing}>
          {completion.list}
          {formatting.bar}
          {/* With large text in a narrow window, the buttons are below the field. */}
          <div className="flex flex-wrap items-end justify-end px-1.5">
            <div className={classNames('me-auto flex shrink-0 items-center', oneLine)}>
              <AddButton
                isDisabled={isEditing || files.tray.sending !== null}
                onAdd={(given) => {
                  files.add(given);
                  // The next key is a letter of the caption, or Enter.
                  field.current?.focus();
                }}
              />
            </div>
            <div className="relative min-w-0 flex-[1_1_6rem]">
              <MentionMarks className={textPlace} field={field} written={written} />
              <textarea
                aria-describedby={
                  isSeenAsRequest(conversation) ? 'composer-request composer-limit' : 'composer-limit'
                }
                data-composer
                aria-label={t('chat.messageTo', { chat })}
                {...completion.attributes}
                // A long name in the placeholder stays on one line.
                className={classNames(
                  textPlace,
                  'field-sizing-content relative block max-h-55 min-h-11 w-full resize-none bg-transparent outline-none placeholder:overflow-hidden placeholder:text-ellipsis placeholder:whitespace-nowrap',
                )}
                dir={directionOf(text)}
                maxLength={longest.message}
                onBlur={completion.close}
                onChange={(event) => onType(event.target, event.nativeEvent as InputEvent)}
                onCompositionEnd={({ currentTarget: { selectionEnd } }) =>
                  completion.onType(written, selectionEnd)
                }
                onCompositionStart={completion.close}
                onKeyDown={onKeyDown}
                onPaste={putPasted}
                onSelect={completion.onSelect}
                placeholder={placeholderOf(conversation, chat)}
                ref={field}
                rows={1}
                value={text}
              />
            </div>
            <div className={classNames('flex shrink-0 items-center', oneLine)}>
              {formatting.toggle}
              <EmojiButton field={field} />
              {mayRecord ? (
                <RecordButton
                  onRecord={() => {
                    files.clearNotice();
                    recording.begin();
                  }}
                  ref={recordButton}
                />
              ) : (
                <RoundButton
                  disabled={!maySend}
                  icon={SendHorizontal}
                  isPrimary
                  label={t('chat.send')}
                  tip={sendWith === 'enter' ? t('chat.sendHelp') : t('chat.sendHelpMod', { keys: modEnter })}
                  type="submit"
                />
              )}
            </div>
          </div>
        </div>
        <p aria-live="polite" className="px-4 pt-1 text-danger-ink text-secondary empty:hidden">
          {(mayRecord || isRecording) && recording.problem}
        </p>
        <p aria-live="polite" className="sr-only">
          {recording.announced}
        </p>
        <LengthNote
          isFull={text.length >= longest.message}
          most={most}
          onSendInParts={isEditing || hasFiles ? null : () => submit(true)}
          size={size}
          text={body}
        />
      </div>
      {files.isOver && !isEditing && <DropOverlay chat={chat} />}
    </form>
  );
}

function placeholderOf(conversation: Conversation, chat: string): string {
  if (conversation.kind === 'direct' && conversation.isSelf) return t('chat.notePlaceholder');
  return t('chat.messagePlaceholder', { chat });
}

interface LengthNoteProps {
  text: string;
  /** In bytes. */
  size: number;
  /** Limit of the size. */
  most: number;
  /** True if the field accepts no more. */
  isFull: boolean;
  /** Null if it cannot be split. */
  onSendInParts: (() => void) | null;
}

function LengthNote({ text, size, most, isFull, onSendInParts }: LengthNoteProps) {
  const left = most - size;
  const parts = useMemo(() => (left < 0 ? textParts(text, longestText).length : 0), [text, left]);
  return (
    <div className="flex flex-wrap items-center gap-x-3 px-4 text-meta">
      <p aria-live="polite" id="composer-limit">
        {left < COUNTED && (
          <span className={classNames('block pt-1', left < 0 ? 'text-danger-ink' : 'text-ink-soft')}>
            {left < 0
              ? t('chat.over', { count: charactersOver(text, -left) })
              : t('chat.left', { count: left })}
            {isFull && ` ${t('chat.full')}`}
          </span>
        )}
      </p>
      {left < 0 && onSendInParts && (
        <Button className="mt-1" onClick={onSendInParts} size="small">
          {t('chat.sendInParts', { count: parts })}
        </Button>
      )}
    </div>
  );
}

/**
 * The number of characters to remove from the end so that the text has `bytes` fewer. Many characters have several
 * bytes.
 */
function charactersOver(text: string, bytes: number): number {
  const encoder = new TextEncoder();
  let count = 0;
  let gone = 0;
  for (const character of [...text].reverse()) {
    if (gone >= bytes) break;
    gone += encoder.encode(character).length;
    count += 1;
  }
  return count;
}
