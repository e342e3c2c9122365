import { useState } from 'react';
import type { DeviceChange } from '../../bridge/shapes/device.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { changeText, textBefore, undoProblem } from './device-change-text.ts';

interface DeviceChangeRowProps {
  change: DeviceChange;
  busy: boolean;
  onAnswer: (answer: 'keep' | 'undo') => void;
}

/** One change by a removed device, with its answers. */
export function DeviceChangeRow({ change, busy, onAnswer }: DeviceChangeRowProps) {
  const text = changeText(change);
  const lines = [textBefore(change), undoProblem(change)].filter((line) => line !== null);
  return (
    <li className="flex flex-wrap items-center gap-2 py-1.5">
      <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">
        {text}
        {lines.map((line) => (
          <span className="block text-ink-soft" key={line}>
            {line}
          </span>
        ))}
        <span className="block text-ink-soft text-meta">
          {change.device.name !== null && <bdi>{change.device.name} </bdi>}
          <code className="font-mono">{change.device.id.slice(0, 8)}</code>
        </span>
      </span>
      <span className="ms-auto flex flex-wrap justify-end gap-2">
        <ShowMessages change={change} text={text} />
        <Button
          aria-label={t('settings.changeKeepOf', { change: text })}
          busy={busy}
          onClick={() => onAnswer('keep')}
          size="small"
          tone="quiet"
        >
          {t('settings.changeKeep')}
        </Button>
        <Undo busy={busy} change={change} onUndo={() => onAnswer('undo')} text={text} />
      </span>
    </li>
  );
}

/** Opens the chat at the first of the messages. */
function ShowMessages({ change: { messages }, text }: { change: DeviceChange; text: string }) {
  const { openMessage } = useNavigation();
  if (!messages) return null;
  const { conversationId, firstId } = messages;
  return (
    <Button
      aria-label={t('settings.changeShowOf', { change: text })}
      onClick={() => openMessage(conversationId, firstId)}
      size="small"
      tone="quiet"
    >
      {t('settings.changeShow')}
    </Button>
  );
}

interface UndoProps {
  change: DeviceChange;
  text: string;
  busy: boolean;
  onUndo: () => void;
}

function Undo({ change: { mark, isSet, undo, messages }, text, busy, onUndo }: UndoProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (undo !== 'possible') return null;
  if (messages)
    return (
      <>
        <Button
          aria-label={t('settings.changeDeleteOf', { change: text })}
          busy={busy}
          onClick={() => setIsAsking(true)}
          size="small"
        >
          {t('message.deleteForEveryone')}
        </Button>
        <Confirmation
          action={t('message.deleteForEveryone')}
          explanation={t('settings.changeDeleteText', {
            change: text,
            count: messages.count,
            isMore: messages.isMore ? 'yes' : 'no',
          })}
          onClose={() => setIsAsking(false)}
          onConfirm={onUndo}
          open={isAsking}
          title={t('settings.changeDeleteTitle')}
        />
      </>
    );
  const [label, labelOf] = UNDO_LABELS[`${mark}/${isSet}`] ?? [
    'settings.changeUndo',
    'settings.changeUndoOf',
  ];
  return (
    <Button aria-label={t(labelOf, { change: text })} busy={busy} onClick={onUndo} size="small">
      {t(label)}
    </Button>
  );
}

/** Labels where the previous state does not return at once. */
const UNDO_LABELS: Partial<
  Record<
    string,
    readonly [
      'settings.changeInvite' | 'settings.changeRemove',
      'settings.changeInviteOf' | 'settings.changeRemoveOf',
    ]
  >
> = {
  'groupMember/false': ['settings.changeInvite', 'settings.changeInviteOf'],
  'groupPicture/true': ['settings.changeRemove', 'settings.changeRemoveOf'],
};
