import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { callBridge } from '../../../bridge.ts';
import { pauseSound } from '../../../shared/one-sound.ts';
import { useReloadQuestion } from '../../../shared/use-reload-question.ts';
import { t } from '../../../words.tsx';
import { openRecorder, type Recorder } from './recorder.ts';
import type { Recorded } from './send-voice.ts';
import { voiceName } from './voice-name.ts';
import { withLength } from './webm-length.ts';

/** Limit of a voice message, in milliseconds. */
export const LONGEST_RECORDING = 30 * 60_000;

/** The interval of reports of activity, in milliseconds: a small part of the shortest automatic lock. */
const REPORT_EVERY = 10_000;

/** `ended`: the microphone is off, and the recording waits to be sent or discarded. */
type State = { phase: 'none' | 'asking' } | { phase: 'recording' | 'paused' | 'ended'; recorder: Recorder };

export interface Recording {
  state: State;
  /** A sentence; empty without a problem. */
  problem: string;
  /** The last change, for screen readers. */
  announced: string;
  begin: () => void;
  pause: () => void;
  resume: () => void;
  /** Ends the recording at its longest. */
  end: () => void;
  discard: () => void;
  /** Ends the recording and returns it. */
  finish: () => Promise<Recorded>;
}

/**
 * The voice message of a chat's composer.
 * @param onLeave called with the recording when the chat is left or locked; the microphone is off then
 */
export function useRecording(onLeave: (recorded: Promise<Recorded>) => void): Recording {
  const [state, setState] = useState<State>({ phase: 'none' });
  const [problem, setProblem] = useState('');
  const [announced, announce] = useState('');
  const job = useRef<AbortController>(null);
  useReloadQuestion('recorder' in state);
  const isOn = state.phase === 'recording';
  useEffect(() => {
    if (!isOn) return;
    // A person who speaks does not touch the keyboard, and is not idle.
    const timer = setInterval(() => callBridge('lock.active', {}).catch(() => undefined), REPORT_EVERY);
    return () => clearInterval(timer);
  }, [isOn]);

  const begin = () => {
    if (state.phase !== 'none') return;
    const own = new AbortController();
    job.current = own;
    // The microphone would record it.
    pauseSound();
    setProblem('');
    setState({ phase: 'asking' });
    const onEnd = (length: number) => {
      if (own.signal.aborted) return;
      setState((before) => ('recorder' in before ? { ...before, phase: 'ended' } : before));
      setProblem(t(length >= LONGEST_RECORDING ? 'files.recordingFull' : 'files.microphoneEnded'));
    };
    openRecorder(own.signal, onEnd).then(
      (recorder) => {
        setState({ phase: 'recording', recorder });
        announce(t('files.recordingStarted'));
      },
      (error: unknown) => {
        if (own.signal.aborted) return;
        setState({ phase: 'none' });
        setProblem(sentenceFor(error));
      },
    );
  };
  const close = (words: string) => {
    job.current?.abort();
    setState({ phase: 'none' });
    setProblem('');
    announce(words);
  };
  const finish = async () => {
    if (!('recorder' in state)) throw new TypeError('nothing is recorded');
    const { recorder } = state;
    const stopped = recorder.stop();
    close(t('files.recordingEnded'));
    const recorded = await stopped;
    const durationMs = Math.round(recorder.length);
    const blob = await withLength(recorded, durationMs);
    const file = new File([blob], voiceName(Date.now(), blob.type), { type: blob.type });
    return { file, durationMs };
  };
  const leave = useEffectEvent(() => {
    if ('recorder' in state) onLeave(finish());
    else job.current?.abort();
  });
  // Before passive effects end: at a lock, one of them forgets all trays.
  useLayoutEffect(() => () => leave(), []);
  return {
    ...{ state, problem, announced, begin, finish },
    pause: () => {
      if (state.phase !== 'recording') return;
      state.recorder.pause();
      setState({ ...state, phase: 'paused' });
      announce(t('files.recordingPaused'));
    },
    resume: () => {
      if (state.phase !== 'paused') return;
      state.recorder.resume();
      setState({ ...state, phase: 'recording' });
      announce(t('files.recordingResumed'));
    },
    end: () => {
      if ('recorder' in state) void state.recorder.stop();
    },
    discard: () => close(state.phase === 'asking' ? '' : t('files.recordingDiscarded')),
  };
}

function sentenceFor(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return t('files.microphoneRefused');
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return t('files.microphoneMissing');
  return t('files.microphoneBroken');
}
