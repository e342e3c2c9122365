import { t } from '../../../words.tsx';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
};

/** A name valid on all systems, as in `Voice message 2026-11-26 at 03.20.webm`, in the local time zone. */
export function voiceName(time: number, type: string): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString();
  const words = t('files.voiceName', {
    date: local.slice(0, 10),
    time: local.slice(11, 16).replace(':', '.'),
  });
  return `${words}.${EXTENSIONS[type] ?? 'webm'}`;
}
