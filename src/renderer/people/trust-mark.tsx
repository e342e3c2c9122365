import { Bot, FileInput, TerminalSquare, UserX } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Message, Trust } from '../../bridge/shapes/message.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { classNames } from '../design/class-names.ts';
import { Popover } from '../design/popover.tsx';
import { t } from '../words.tsx';
import { shownName } from './shown-name.ts';

/** Messages without a device's signature, which is the usual proof and has no mark. */
type UnusualTrust = Exclude<Trust, 'self' | 'verified'>;

const explanations = {
  api: { label: 'chat.api', sentence: 'chat.apiText' },
  bot: { label: 'chat.botSigned', sentence: 'chat.botText' },
  token: { label: 'chat.bot', sentence: 'chat.tokenText' },
  imported: { label: 'chat.imported', sentence: 'chat.importedText' },
} as const satisfies Record<UnusualTrust, object>;

const glyphs: Record<UnusualTrust, ReactElement> = {
  api: <TerminalSquare aria-hidden="true" className="size-3.5" strokeWidth={2.2} />,
  bot: <Bot aria-hidden="true" className="size-3.5" strokeWidth={2.2} />,
  token: <Bot aria-hidden="true" className="size-3.5" strokeWidth={2.2} />,
  imported: <FileInput aria-hidden="true" className="size-3.5" strokeWidth={2.2} />,
};

interface TrustMarkProps {
  author: Message['author'];
  trust: UnusualTrust;
}

/** The unusual proof of a message's sender; a click explains it. */
export function TrustMark({ author, trust }: TrustMarkProps) {
  const label = t(explanations[trust].label);
  const sentence = t(explanations[trust].sentence, { author: shownName(author) });
  return (
    <Popover text={sentence} title={label}>
      <button
        aria-label={label}
        className={classNames(
          '-m-1.5 inline-flex rounded-chip p-1.5',
          trust === 'bot' ? 'text-ink-soft' : 'text-warning-ink',
        )}
        title={label}
        type="button"
      >
        {glyphs[trust]}
      </button>
    </Popover>
  );
}

/** The caption above unsigned messages. */
export function UnsignedCaption({ trust }: { trust: 'api' | 'token' | 'imported' }) {
  return (
    <p className="mb-1 ms-1 flex items-center gap-1.5 font-medium text-warning-ink text-meta">
      {glyphs[trust]}
      <span className="font-semibold">{t(explanations[trust].label)}</span> · {t('chat.unsigned')}
    </p>
  );
}

/** The caption above messages whose sender does not know of a removal, or knows of more than the server shows. */
export function RosterCaption({
  author,
  roster,
}: {
  author: Person;
  roster: NonNullable<Message['roster']>;
}) {
  const [first] = roster.unaware;
  const others = roster.unaware.length - 1;
  return (
    <p className="mb-1 ms-1 flex items-center gap-1.5 font-medium text-warning-ink text-meta">
      <UserX aria-hidden="true" className="size-3.5 shrink-0" strokeWidth={2.2} />
      {roster.isBeyond && t('chat.beyond', { author: shownName(author) })}
      {first && others === 0 && t('chat.unaware', { who: shownName(first) })}
      {first && others > 0 && t('chat.unawareMore', { who: shownName(first), count: others })}
    </p>
  );
}
