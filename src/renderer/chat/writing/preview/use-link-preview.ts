import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { firstWrittenLink } from '../../../../base/markdown/links.ts';
import type { PreviewToSend } from '../../../../bridge/shapes/link-preview.ts';
import { makePreview } from './make-preview.ts';

/** The pause in typing after which a link at the end is complete, in milliseconds. */
const PAUSE = 1_000;

interface WrittenPreview {
  /** Null for none, or none yet. */
  preview: PreviewToSend | null;
  /** Removes it, also for the time in which this link is written. */
  remove: () => void;
}

/** The preview of the first link in a text, once the link is complete. */
export function useLinkPreview(text: string, isOn: boolean): WrittenPreview {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [complete, setComplete] = useState<string | null>(null);
  const link = isOn ? firstWrittenLink(text) : null;
  const isFollowed = link !== null && /^\s/.test(text.slice(text.indexOf(link) + link.length));
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text starts the pause again
  useEffect(() => {
    if (link === complete) return;
    if (isFollowed || link === null) {
      setComplete(link);
      return;
    }
    const timer = setTimeout(() => setComplete(link), PAUSE);
    return () => clearTimeout(timer);
  }, [link, isFollowed, text, complete]);
  const wanted = link !== null && link === complete && !removed.has(link) ? link : null;
  const { data } = useQuery({
    queryKey: ['link-preview', wanted],
    queryFn: () => makePreview(wanted ?? ''),
    enabled: wanted !== null,
    // Asked again the next time it is written.
    gcTime: 0,
  });
  return {
    preview: (wanted !== null && data) || null,
    remove: () => {
      if (link !== null) setRemoved((before) => new Set(before).add(link));
    },
  };
}
