import type { Output } from '../../bridge/contract.ts';
import { SecretReveal } from '../design/secret-reveal.tsx';
import { useStay } from '../shared/navigation.tsx';

export type Minted = Output<'groups.mintToken'>;

/** The secret of a new bot token, once, with what to do with it. */
export function TokenReveal({ minted, onDone }: { minted: Minted; onDone: () => void }) {
  const { relayUrl, secret, token } = minted;
  useStay();
  return (
    <SecretReveal
      examples={[
        {
          title: 'Post with the command line',
          text: `export WAXWING_RELAY=${relayUrl}\nexport WAXWING_GROUP_TOKEN=…\nwaxwing send "Hello from ${token.name}"`,
        },
        {
          title: 'See whether it works, with curl',
          text: `curl ${relayUrl}/api/v1/me \\\n  -H "Authorization: Bearer $WAXWING_GROUP_TOKEN"`,
        },
      ]}
      explanation="Whoever has it can post into this group in your name."
      onDone={onDone}
      secret={secret}
      title={
        <>
          The token for <bdi>{token.name}</bdi>
        </>
      }
    />
  );
}
