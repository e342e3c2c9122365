import type { ReactNode, RefObject } from 'react';
import { SecretReveal } from '../design/secret-reveal.tsx';
import { useStay } from '../shared/navigation.tsx';
import { t } from '../words.tsx';

interface CredentialRevealProps {
  title: ReactNode;
  /** Who has it can do what. */
  explanation: string;
  secret: string;
  /** The key of the bot that the token is for; left out, or null, where there is none. */
  botKey?: string | null;
  relayUrl: string;
  /** Where the command line and libraries look for it. */
  variable: 'WAXWING_API_KEY' | 'WAXWING_GROUP_TOKEN';
  /** A first command to try, and its name. */
  example: { title: string; command: string };
  onDone: () => void;
  /** Has the focus afterwards. */
  finalFocus: RefObject<HTMLElement | null>;
}

/** The secret of a new key or token, once, with what to do with it. */
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
