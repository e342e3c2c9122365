import { Bot, TerminalSquare, UserX } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Message, Person, Trust } from '../../bridge/shapes.ts';
import { classNames } from '../design/class-names.ts';
import { sealOutline } from '../design/mark.tsx';
import { Popover } from '../design/popover.tsx';
import { personName } from '../shared/person.ts';
import { t } from '../words.tsx';

type SenderTrust = Exclude<Trust, 'self'>;

const explanations = {
  verified: { label: 'chat.signed', sentence: 'chat.signedText' },
  api: { label: 'chat.api', sentence: 'chat.apiText' },
  bot: { label: 'chat.botSigned', sentence: 'chat.botText' },
  token: { label: 'chat.bot', sentence: 'chat.tokenText' },
} as const satisfies Record<SenderTrust, object>;

/** A small seal with a tick: proven by the sender's account. */
export function SealGlyph({ className = 'size-3.5' }: { className?: string }) {
  return (
    <svg aria-hidden="true" className={className} fill="none" viewBox="0 0 48 48">
      <path d={sealOutline} fill="currentColor" fillOpacity="0.16" stroke="currentColor" strokeWidth="3.4" />
      <path
        d="M15.5 24.5l6 6 11-12"
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="4.4"
      />
    </svg>
  );
}

const glyphs: Record<SenderTrust, ReactElement> = {
  verified: <SealGlyph />,
  api: <TerminalSquare aria-hidden="true" className="size-3.5" strokeWidth={2.2} />,
  bot: <Bot aria-hidden="true" className="size-3.5" strokeWidth={2.2} />,
  token: <Bot aria-hidden="true" className="size-3.5" strokeWidth={2.2} />,
};

interface TrustMarkProps {
  author: Message['author'];
  trust: SenderTrust;
}

/** How the sender of one message is known; a press says what that means. Only what an account proved gets the seal. */
export function TrustMark({ author, trust }: TrustMarkProps) {
  const label = t(explanations[trust].label);
  const sentence = t(explanations[trust].sentence, { author: personName(author) });
  return (
    <Popover text={sentence} title={label}>
      <button
        aria-label={label}
        className={classNames(
          '-m-1.5 inline-flex rounded-chip p-1.5',
          trust === 'verified' || trust === 'bot' ? 'text-ink-soft' : 'text-warning-ink',
        )}
        title={label}
        type="button"
      >
        {glyphs[trust]}
      </button>
    </Popover>
  );
}

/** The caption above messages that no device signed. */
export function UnsignedCaption({ trust }: { trust: 'api' | 'token' }) {
  return (
    <p className="mb-1 ms-1 flex items-center gap-1.5 font-medium text-warning-ink text-meta">
      {glyphs[trust]}
      <span className="font-semibold">{trust === 'api' ? t('chat.api') : t('chat.bot')}</span> ·{' '}
      {t('chat.unsigned')}
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
      {roster.isBeyond && t('chat.beyond', { author: personName(author) })}
      {first && others === 0 && t('chat.unaware', { who: personName(first) })}
      {first && others > 0 && t('chat.unawareMore', { who: personName(first), count: others })}
    </p>
  );
}
