import { useState } from 'react';
import type { BotToken, GroupDetails } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { Section } from '../people/details-section.tsx';
import { plainDate } from '../shared/time.ts';
import { t } from '../words.tsx';
import { type Minted, TokenReveal } from './token-reveal.tsx';

/** Tokens with which bots post into the group: created, listed, revoked. */
export function BotTokens({ details }: { details: GroupDetails }) {
  const { botTokens, conversationId } = details;
  const [name, setName] = useState('');
  // Kept here and nowhere else: gone with the dialog, and never in the cache of queries.
  const [minted, setMinted] = useState<Minted | null>(null);
  const mint = useCommand('groups.mintToken', {
    tellsFailure: true,
    onSuccess: (answer) => {
      setMinted(answer);
      setName('');
      mint.reset();
    },
  });
  return (
    <Section title={t('groups.tokens')}>
      <p className="text-ink-soft leading-relaxed">{t('groups.tokensText')}</p>
      <ul>
        {botTokens?.map((token) => (
          <TokenRow conversationId={conversationId} key={token.id} token={token} />
        ))}
      </ul>
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          mint.mutate({ conversationId, name });
        }}
      >
        <TextField
          className="min-w-0 flex-1"
          label={t('groups.tokenName')}
          maxLength={64}
          note={mint.error?.message}
          noteTone={mint.error ? 'problem' : 'hint'}
          onChange={(event) => {
            mint.reset();
            setName(event.target.value);
          }}
          value={name}
        />
        <Button
          busy={mint.isPending}
          className="mt-[1.625rem] h-[2.625rem]"
          disabled={name.trim() === ''}
          type="submit"
        >
          {t('groups.tokenCreate')}
        </Button>
      </form>
      {minted && <TokenReveal minted={minted} onDone={() => setMinted(null)} />}
    </Section>
  );
}

function TokenRow({ token, conversationId }: { token: BotToken; conversationId: string }) {
  const [asking, setAsking] = useState(false);
  const revoke = useCommand('groups.revokeToken');
  const isRevoked = token.revokedAt !== null;
  return (
    <li className="flex items-center gap-3 py-1.5">
      <span className="min-w-0 flex-1 leading-tight">
        <bdi
          className={isRevoked ? 'block truncate text-ink-soft line-through' : 'block truncate font-semibold'}
        >
          {token.name}
        </bdi>
        <span className="block text-ink-soft text-xs">
          <code className="font-mono">{token.prefix}…</code> · {historyOf(token)}
        </span>
      </span>
      {!isRevoked && (
        <Button busy={revoke.isPending} onClick={() => setAsking(true)} size="small" tone="danger">
          {t('groups.tokenRevoke')}
        </Button>
      )}
      <Confirmation
        action={t('groups.tokenRevokeAction')}
        explanation={t('groups.tokenRevokeText')}
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ conversationId, tokenId: token.id })}
        open={asking}
        title={t('groups.tokenRevokeTitle', { name: token.name })}
      />
    </li>
  );
}

function historyOf({ createdAt, lastUsedAt, revokedAt }: BotToken): string {
  if (revokedAt !== null) return t('common.revoked', { date: plainDate(revokedAt) });
  const used =
    lastUsedAt === null ? t('common.neverUsed') : t('common.lastUsed', { date: plainDate(lastUsedAt) });
  return [t('common.created', { date: plainDate(createdAt) }), used].join(' · ');
}
