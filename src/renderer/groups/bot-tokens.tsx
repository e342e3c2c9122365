import { useState } from 'react';
import type { GroupDetails } from '../../bridge/shapes/group.ts';
import { useCommand } from '../bridge.ts';
import { CredentialList } from '../credentials/credential-list.tsx';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { SwitchRow } from '../design/setting-rows.tsx';
import { Section } from '../people/details-section.tsx';
import { announce } from '../shared/announcements.tsx';
import { t } from '../words.tsx';
import { NewToken } from './new-token.tsx';

const words = {
  label: t('groups.tokens'),
  revokeAction: t('groups.tokenRevokeAction'),
  revokeTitle: (name: string) => t('groups.tokenRevokeTitle', { name }),
};

/** Bots that post into the group: created, listed, revoked; and the setting for unsigned posts. */
export function BotTokens({ details }: { details: GroupDetails }) {
  const { botTokens, lostBots, unsignedBots, conversationId } = details;
  const revoke = useCommand('groups.revokeToken', {
    onSuccess: (_, { tokenId }) => {
      const token = botTokens?.find(({ id }) => id === tokenId);
      if (token) announce(t('groups.tokenRevoked', { name: token.name }));
    },
  });
  const setUnsigned = useCommand('groups.setUnsignedBots');
  const isAlone = botTokens?.some(({ signs, revokedAt }) => !signs && revokedAt === null) ?? false;
  return (
    <Section title={t('groups.tokens')}>
      <p className="text-ink-soft">{t('groups.tokensText')}</p>
      {botTokens && botTokens.length > 0 && (
        <CredentialList
          busy={revoke.isPending ? revoke.variables.tokenId : null}
          credentials={botTokens}
          onRevoke={(tokenId) => revoke.mutate({ conversationId, tokenId })}
          words={words}
        />
      )}
      {lostBots && lostBots.length > 0 && <LostBots bots={lostBots} conversationId={conversationId} />}
      {(unsignedBots || isAlone) && (
        <SwitchRow
          checked={unsignedBots}
          disabled={setUnsigned.isPending}
          explanation={t('groups.unsignedBotsText')}
          label={t('groups.unsignedBots')}
          onChange={(allowed) => setUnsigned.mutate({ conversationId, allowed })}
        />
      )}
      <NewToken conversationId={conversationId} />
    </Section>
  );
}

type LostBot = NonNullable<GroupDetails['lostBots']>[number];

/** Bots whose keys are still in the group, without a token at the server. */
function LostBots({ bots, conversationId }: { bots: readonly LostBot[]; conversationId: string }) {
  const remove = useCommand('groups.removeBot', {
    onSuccess: (_, { key }) => {
      const bot = bots.find((each) => each.key === key);
      if (bot) announce(t('groups.lostBotRemoved', { name: bot.name }));
    },
  });
  return (
    <ul aria-label={t('groups.lostBots')} className="flex flex-col divide-y divide-line">
      {bots.map((bot) => (
        <LostBotRow
          bot={bot}
          isBusy={remove.isPending && remove.variables.key === bot.key}
          key={bot.key}
          onRemove={() => remove.mutate({ conversationId, key: bot.key })}
        />
      ))}
    </ul>
  );
}

function LostBotRow({ bot, isBusy, onRemove }: { bot: LostBot; isBusy: boolean; onRemove: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <li className="flex items-start gap-3 py-2.5">
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-semibold">{bot.name}</bdi>
        <span className="block text-ink-soft text-meta">{t('groups.lostBotText')}</span>
      </span>
      <Button busy={isBusy} onClick={() => setAsking(true)} size="small" tone="danger">
        {t('groups.lostBotRemove')}
      </Button>
      <Confirmation
        action={t('groups.lostBotRemove')}
        explanation={t('groups.lostBotRemoveText')}
        onClose={() => setAsking(false)}
        onConfirm={onRemove}
        open={asking}
        title={t('groups.lostBotRemoveTitle', { name: bot.name })}
      />
    </li>
  );
}
