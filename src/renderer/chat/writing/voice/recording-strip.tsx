import { Mic, Pause, Play, SendHorizontal, Trash2, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { classNames } from '../../../design/class-names.ts';
import { Confirmation } from '../../../design/dialog.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { playTime } from '../../../shared/time.ts';
import { t } from '../../../words.tsx';
import { Waveform } from '../../files/waveform.tsx';
import { RoundButton } from '../round-button.tsx';
import { Levels, useLevels } from './level.tsx';
import type { Recorder } from './recorder.ts';
import { useListening } from './use-listening.ts';
import { LONGEST_RECORDING, type Recording } from './use-recording.ts';

interface StripProps {
  recording: Recording;
  className: string;
  onSend: () => void;
}

/** In the place of the text: the question for the microphone, then the recording. */
export function RecordingStrip({ recording, className, onSend }: StripProps) {
  const { state, discard } = recording;
  if (state.phase === 'none') return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div aria-label={t('files.recording')} className={classNames(className, 'px-1.5')} role="group">
      {'recorder' in state ? (
        <Controls
          onDiscard={discard}
          onSend={onSend}
          phase={state.phase}
          recorder={state.recorder}
          recording={recording}
        />
      ) : (
        <Asking onCancel={discard} />
      )}
    </div>
  );
}

function Asking({ onCancel }: { onCancel: () => void }) {
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  return (
    <div className="flex min-h-11 items-center gap-2">
      <IconButton
        icon={X}
        keys="Esc"
        label={t('files.cancelRecording')}
        onClick={onCancel}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onCancel();
        }}
        ref={cancel}
      />
      <p className="min-w-0 flex-1 text-ink-soft text-secondary">{t('files.askingMicrophone')}</p>
    </div>
  );
}

interface ControlsProps {
  recording: Recording;
  recorder: Recorder;
  phase: 'recording' | 'paused' | 'ended';
  onDiscard: () => void;
  onSend: () => void;
}

function Controls({ recording, recorder, phase, onDiscard, onSend }: ControlsProps) {
  const { pause, resume, end } = recording;
  const isRecording = phase === 'recording';
  const [length, setLength] = useState(0);
  const [isConfirming, setConfirming] = useState(false);
  const listening = useListening(recorder);
  const levels = useLevels(recorder, isRecording, (next) => {
    setLength(next);
    if (next >= LONGEST_RECORDING) end();
  });
  const send = useRef<HTMLButtonElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => toggle.current?.focus(), []);
  useEffect(() => {
    // The button for pausing is gone once the microphone is off.
    if (phase === 'ended' && document.activeElement === document.body) send.current?.focus();
  }, [phase]);
  const listen = () => {
    if (isRecording) pause();
    listening.toggle();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    // A tooltip would end the event here; the question would receive it too, and close.
    event.stopPropagation();
    setConfirming(true);
  };
  const seconds = length / 1000;
  const isListened = !isRecording && (listening.isPlaying || listening.at > 0);
  return (
    <>
      <div className="flex flex-wrap items-center justify-end gap-x-1" onKeyDownCapture={onKeyDown}>
        <IconButton
          icon={Trash2}
          keys="Esc"
          label={t('files.discardRecording')}
          onClick={() => setConfirming(true)}
        />
        <div className="flex min-h-11 min-w-0 flex-[1_1_6rem] items-center gap-2 ps-1">
          <span
            aria-hidden="true"
            className={classNames(
              'size-2.5 shrink-0 rounded-full',
              isRecording ? 'bg-danger-ink' : 'bg-line-strong',
            )}
          />
          <span className="shrink-0 text-secondary tabular-nums" role="timer">
            {playTime(isListened ? listening.at : seconds)}
          </span>
          {isListened ? (
            <Waveform
              label={t('files.voicePlace')}
              at={listening.at}
              length={seconds}
              loudness={listening.waveform}
              onSeek={listening.seek}
            />
          ) : (
            <Levels levels={levels} />
          )}
        </div>
        <div className="flex min-h-11 shrink-0 items-center gap-x-1">
          <IconButton
            icon={listening.isPlaying ? Pause : Play}
            label={t(listening.isPlaying ? 'files.stopListening' : 'files.listen')}
            onClick={listen}
          />
          {phase !== 'ended' && (
            <IconButton
              icon={isRecording ? Pause : Mic}
              label={t(isRecording ? 'files.pauseRecording' : 'files.resumeRecording')}
              onClick={() => {
                if (isRecording) return pause();
                listening.stop();
                resume();
              }}
              ref={toggle}
            />
          )}
          <RoundButton
            icon={SendHorizontal}
            isPrimary
            label={t('files.sendVoice')}
            onClick={onSend}
            ref={send}
          />
        </div>
      </div>
      {/* Outside: its Escape would ask again. */}
      <Confirmation
        action={t('files.discardAction')}
        explanation={t('files.discardText')}
        onClose={() => setConfirming(false)}
        onConfirm={onDiscard}
        open={isConfirming}
        title={t('files.discardTitle')}
      />
    </>
  );
}
