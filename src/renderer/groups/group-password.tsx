import { useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import type { GroupDetails } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { Section } from '../people/details-section.tsx';
import { useFocusReturn } from '../shared/use-focus-return.ts';
import { t } from '../words.tsx';

const explanations = {
  open: 'groups.passwordNone',
  password: 'groups.passwordText',
  invite: 'groups.inviteOnly',
} as const satisfies Record<GroupDetails['group']['join'], string>;

/** Sets, changes and removes what is asked of those who join. */
export function GroupPassword({ details }: { details: GroupDetails }) {
  const { conversationId, group } = details;
  const hasPassword = group.join === 'password';
  const [isOpen, setIsOpen] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const [password, setPassword] = useState('');
  const opener = useFocusReturn(isOpen);
  const close = () => {
    setIsOpen(false);
    setPassword('');
  };
  const change = useCommand('groups.change', { onSuccess: close });
  return (
    <Section title={t('groups.password')}>
      <p className="text-ink-soft leading-relaxed">{t(explanations[group.join])}</p>
      {isOpen ? (
        <form
          className="flex flex-col gap-1"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ conversationId, password });
          }}
        >
          <TextField
            autoComplete="new-password"
            autoFocus
            label={t('groups.passwordNew')}
            maxLength={longest.groupPassword}
            onChange={(event) => setPassword(event.target.value)}
            type="password"
            value={password}
          />
          <div className="flex gap-2">
            <Button
              busy={change.isPending}
              disabled={password === ''}
              size="small"
              tone="primary"
              type="submit"
            >
              {t('groups.passwordSet')}
            </Button>
            <Button onClick={close} size="small">
              {t('common.cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setIsOpen(true)} ref={opener} size="small">
            {hasPassword ? t('groups.passwordChange') : t('groups.passwordSet')}
          </Button>
          {hasPassword && (
            <Button busy={change.isPending} onClick={() => setIsRemoving(true)} size="small">
              {t('groups.passwordRemove')}
            </Button>
          )}
        </div>
      )}
      <Confirmation
        action={t('groups.passwordRemove')}
        explanation={t('groups.passwordRemoveText')}
        onClose={() => setIsRemoving(false)}
        onConfirm={() => change.mutate({ conversationId, password: null })}
        open={isRemoving}
        title={t('groups.passwordRemoveTitle', { name: group.name })}
      />
    </Section>
  );
}
