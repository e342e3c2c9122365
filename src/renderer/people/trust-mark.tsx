import { Bot, TerminalSquare, UserX } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Trust } from '../../bridge/shapes.ts';
import { classNames } from '../design/class-names.ts';
import { sealOutline } from '../design/mark.tsx';
import { Popover } from '../design/popover.tsx';

type SenderTrust = Exclude<Trust, 'self'>;

const explanations: Record<SenderTrust, { label: string; sentence: string }> = {
  verified: {
    label: 'Verified sender',
    sentence: 'Signed by a device that the sender’s own wallet certified. Nobody else can have written this.',
  },
  api: {
    label: 'Sent via API, the relay vouches for the sender',
    sentence:
      'Sent with an API key. No device of the sender signed it, so only the relay vouches for who wrote it.',
  },
  bot: {
    label: 'Sent via bot, the relay vouches for the sender',
    sentence: 'Posted by a bot. No device signed it, so only the relay vouches for who wrote it.',
  },
};

/** A small seal with a tick: proven by the sender's wallet. */
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
};

/** How the sender of one message is known; a press says what that means. Only what a wallet proved gets the seal. */
export function TrustMark({ trust }: { trust: SenderTrust }) {
  const { label, sentence } = explanations[trust];
  return (
    <Popover text={sentence} title={label}>
      <button
        aria-label={label}
        className={classNames(
          '-m-1.5 inline-flex rounded-md p-1.5',
          trust === 'verified' ? 'text-ink-soft' : 'text-tail-ink',
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
export function UnsignedCaption({ trust }: { trust: 'api' | 'bot' }) {
  return (
    <p className="mb-1 ml-1 flex items-center gap-1.5 font-medium text-tail-ink text-xs">
      {glyphs[trust]}
      {trust === 'api' ? 'via API' : 'via bot'} – the relay vouches for the sender
    </p>
  );
}

/** The caption above messages of a person who left the group or was removed, and whom the user has not confirmed since. */
export function UnconfirmedCaption() {
  return (
    <p className="mb-1 ml-1 flex items-center gap-1.5 font-medium text-tail-ink text-xs">
      <UserX aria-hidden="true" className="size-3.5" strokeWidth={2.2} />
      Left or was removed before – not confirmed by you
    </p>
  );
}
