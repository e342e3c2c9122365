import { Pencil, Reply, X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { plainText } from '../../base/markdown/words.ts';
import { IconButton } from '../design/icon-button.tsx';
import { authorName } from '../people/author-name.ts';
import { announce } from '../shared/announcements.tsx';
import { rich, summaryText, t } from '../words.tsx';
import type { Composing } from './actions/action-state.tsx';

/** Above the field: the answered message, or that a message is being edited. */
export function ComposingStrip({
  composing: { kind, message },
  onCancel,
}: {
  composing: Composing;
  onCancel: () => void;
}) {
  const Icon = kind === 'reply' ? Reply : Pencil;
  const name = authorName(message.author, message.bot?.name ?? (message.trust === 'token' ? '' : null));
  const text = plainText(summaryText(message));
  const words = kind === 'edit' ? t('message.editing') : t('message.replyingToText', { name, text });
  const start = useEffectEvent(() => announce(words));
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced at the start, not if the message changes meanwhile
  useEffect(() => start(), [kind, message.id]);
  return (
    <div className="mb-1 flex items-center gap-2.5 rounded-control bg-sunken ps-3">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-accent-ink" />
      <p className="min-w-0 flex-1 py-1 text-secondary">
        <span className="block truncate font-semibold text-accent-ink">
          {kind === 'edit' ? t('message.editing') : rich('message.replyingTo', { name })}
        </span>
        <bdi className="block truncate text-ink-soft">{text}</bdi>
      </p>
      <IconButton
        icon={X}
        keys="Esc"
        label={kind === 'reply' ? t('message.cancelReply') : t('message.cancelEdit')}
        onClick={onCancel}
      />
    </div>
  );
}
