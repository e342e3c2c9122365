import type { ReactNode, RefObject } from 'react';
import { SecretReveal } from '../design/secret-reveal.tsx';
import { useStay } from '../shared/navigation.tsx';
import { t } from '../words.tsx';

interface CredentialRevealProps {
  title: ReactNode;
  /** The permissions of its holder. */
  explanation: string;
  secret: string;
  /** The key of the token's bot; absent or null if there is none. */
  botKey?: string | null;
  relayUrl: string;
  /** The variable read by the command line and libraries. */
  variable: 'WAXWING_API_KEY' | 'WAXWING_GROUP_TOKEN';
  /** An example command, and its name. */
  example: { title: string; command: string };
  onDone: () => void;
  /** The element focused afterwards. */
  finalFocus: RefObject<HTMLElement | null>;
}

/** Shows the secret of a new key or token once, with instructions. */
export function CredentialReveal({
  relayUrl,
  variable,
  example,
  secret,
  botKey = null,
  ...shown
}: CredentialRevealProps) {
  useStay();
  const lines = [
    `export WAXWING_RELAY=${relayUrl}`,
    `export ${variable}=…`,
    ...(botKey === null ? [] : ['export WAXWING_BOT_KEY=…']),
    example.command,
  ];
  return (
    <SecretReveal
      {...shown}
      secrets={
        botKey === null
          ? [{ label: null, text: secret }]
          : [
              { label: t('groups.tokenSecret'), text: secret },
              { label: t('groups.tokenKey'), text: botKey },
            ]
      }
      examples={[
        {
          title: example.title,
          text: lines.join('\n'),
        },
        {
          title: t('common.exampleTest'),
          text: `curl ${relayUrl}/api/v1/me \\\n  -H "Authorization: Bearer $${variable}"`,
        },
      ]}
    />
  );
}
