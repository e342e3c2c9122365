import type { Output } from '../../bridge/contract.ts';
import { SecretReveal } from '../design/secret-reveal.tsx';
import { useStay } from '../shared/navigation.tsx';
import { rich, t } from '../words.tsx';

export type Minted = Output<'groups.mintToken'>;

/** The secret of a new bot token, once, with what to do with it. */
export function TokenReveal({ minted, onDone }: { minted: Minted; onDone: () => void }) {
  const { relayUrl, secret, token } = minted;
  useStay();
  return (
    <SecretReveal
      examples={[
        {
          title: t('groups.tokenExampleSend'),
          text: `export WAXWING_RELAY=${relayUrl}\nexport WAXWING_GROUP_TOKEN=…\nwaxwing send "Hello from ${token.name}"`,
        },
        {
          title: t('groups.tokenExampleTest'),
          text: `curl ${relayUrl}/api/v1/me \\\n  -H "Authorization: Bearer $WAXWING_GROUP_TOKEN"`,
        },
      ]}
      explanation={t('groups.tokenText')}
      onDone={onDone}
      secret={secret}
      title={rich('groups.tokenTitle', { name: token.name })}
    />
  );
}
