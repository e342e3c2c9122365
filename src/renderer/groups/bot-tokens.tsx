import { useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { longest } from '../../bridge/longest.ts';
import type { GroupDetails } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { CredentialList } from '../credentials/credential-list.tsx';
import { CredentialReveal } from '../credentials/credential-reveal.tsx';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { Section } from '../people/details-section.tsx';
import { rich, t } from '../words.tsx';

const words = {
  label: t('groups.tokens'),
  revokeAction: t('groups.tokenRevokeAction'),
  revokeTitle: (name: string) => t('groups.tokenRevokeTitle', { name }),
};

/** Tokens with which bots post into the group: created, listed, revoked. */
export function BotTokens({ details }: { details: GroupDetails }) {
  const { botTokens, conversationId } = details;
  const [name, setName] = useState('');
  // Kept here and nowhere else: gone with the dialog, and never in the cache of queries.
  const [minted, setMinted] = useState<Output<'groups.mintToken'> | null>(null);
  const mint = useCommand('groups.mintToken', {
    tellsFailure: true,
    onSuccess: (answer) => {
      setMinted(answer);
      setName('');
      mint.reset();
    },
  });
  const revoke = useCommand('groups.revokeToken');
  return (
    <Section title={t('groups.tokens')}>
      <p className="text-ink-soft leading-relaxed">{t('groups.tokensText')}</p>
      {botTokens && botTokens.length > 0 && (
        <CredentialList
          busy={revoke.isPending ? revoke.variables.tokenId : null}
          credentials={botTokens}
          onRevoke={(tokenId) => revoke.mutate({ conversationId, tokenId })}
          words={words}
        />
      )}
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
          maxLength={longest.name}
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
      {minted && (
        <CredentialReveal
          example={{
            title: t('groups.tokenExampleSend'),
            command: `waxwing send "Hello from ${minted.token.name}"`,
          }}
          explanation={t('groups.tokenText')}
          onDone={() => setMinted(null)}
          relayUrl={minted.relayUrl}
          secret={minted.secret}
          title={rich('groups.tokenTitle', { name: minted.token.name })}
          variable="WAXWING_GROUP_TOKEN"
        />
      )}
    </Section>
  );
}
