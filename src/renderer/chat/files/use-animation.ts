import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { AUTOMATIC_BYTES } from '../../../bridge/file-bounds.ts';
import type { ShownPicture } from '../../shared/pictures/read-picture.ts';
import { animationLength } from './animation-length.ts';
import { useReducedMotion } from './use-reduced-motion.ts';

/** The part of an animation that has to be visible before it plays by itself. */
const VISIBLE = 0.5;
/** A longer timer fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

export interface Animation {
  isAnimated: boolean;
  isPlaying: boolean;
  toggle: () => void;
  /** For the element that shows it. */
  ref: (element: HTMLElement | null) => void;
}

/**
 * Plays an animation once when it is first visible, and again at each press. With reduced motion, and if it is too long to be
 * read, it never plays by itself.
 */
export function useAnimation(picture: ShownPicture | undefined): Animation {
  const mayMove = picture?.head?.isAnimated === true;
  const path = picture?.path ?? '';
  const isReduced = useReducedMotion();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const hasPlayed = useRef(false);
  const { data: length } = useQuery({
    queryKey: ['animation', path],
    queryFn: async () => animationLength(new Uint8Array(await (await fetch(path)).arrayBuffer())),
    enabled: mayMove && picture.size <= AUTOMATIC_BYTES,
  });
  // Each GIF may be an animation; one of a single frame is a picture.
  const isAnimated = mayMove && (length === undefined || length.frames > 1);
  const startsItself = isAnimated && !isReduced && length !== undefined;
  useEffect(() => {
    if (!startsItself || !element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        if (!hasPlayed.current) setPlaying(true);
        hasPlayed.current = true;
      },
      { threshold: VISIBLE },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [startsItself, element]);
  useEffect(() => {
    if (!isPlaying || length === undefined) return;
    const timer = setTimeout(() => setPlaying(false), Math.min(length.milliseconds, MAX_TIMER));
    return () => clearTimeout(timer);
  }, [isPlaying, length]);
  return {
    isAnimated,
    isPlaying,
    toggle: () => {
      hasPlayed.current = true;
      setPlaying(!isPlaying);
    },
    ref: setElement,
  };
}
