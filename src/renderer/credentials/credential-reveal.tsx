import type { ReactNode } from 'react';
import { SecretReveal } from '../design/secret-reveal.tsx';
import { useStay } from '../shared/navigation.tsx';
import { t } from '../words.tsx';

interface CredentialRevealProps {
  title: ReactNode;
  /** Who has it can do what. */
  explanation: string;
  secret: string;
  relayUrl: string;
  /** Where the command line and libraries look for it. */
  variable: 'WAXWING_API_KEY' | 'WAXWING_GROUP_TOKEN';
  /** A first command to try, and its name. */
  example: { title: string; command: string };
  onDone: () => void;
}

/** The secret of a new key or token, once, with what to do with it. */
export function CredentialReveal({ relayUrl, variable, example, ...shown }: CredentialRevealProps) {
  useStay();
  return (
    <SecretReveal
      {...shown}
      examples={[
        {
          title: example.title,
          text: `export WAXWING_RELAY=${relayUrl}\nexport ${variable}=…\n${example.command}`,
        },
        {
          title: t('common.exampleTest'),
          text: `curl ${relayUrl}/api/v1/me \\\n  -H "Authorization: Bearer $${variable}"`,
        },
      ]}
    />
  );
}
