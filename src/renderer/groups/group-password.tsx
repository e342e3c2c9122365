import { useState } from 'react';
import type { GroupDetails } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { Section } from '../people/details-section.tsx';
import { useFocusReturn } from '../shared/use-focus-return.ts';

/** Sets, changes and clears what is asked of those who join. */
export function GroupPassword({ details }: { details: GroupDetails }) {
  const { conversationId, group } = details;
  const [isOpen, setIsOpen] = useState(false);
  const [isClearing, setIsClearing] = useState(false);
  const [password, setPassword] = useState('');
  const opener = useFocusReturn(isOpen);
  const close = () => {
    setIsOpen(false);
    setPassword('');
  };
  const change = useCommand('groups.change', { onSuccess: close });
  return (
    <Section title="Password">
      <p className="text-ink-soft leading-relaxed">
        {group.hasPassword
          ? 'Whoever joins needs it. Members stay members when it changes.'
          : 'Anybody at this relay can join.'}
      </p>
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
            label="New password"
            maxLength={256}
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
              Set
            </Button>
            <Button onClick={close} size="small">
              Cancel
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setIsOpen(true)} ref={opener} size="small">
            {group.hasPassword ? 'Change' : 'Set a password'}
          </Button>
          {group.hasPassword && (
            <Button busy={change.isPending} onClick={() => setIsClearing(true)} size="small">
              Clear
            </Button>
          )}
        </div>
      )}
      <Confirmation
        action="Clear password"
        explanation="Anybody at this relay can join from then on. The password is gone: if you want one again, you set a new one."
        onClose={() => setIsClearing(false)}
        onConfirm={() => change.mutate({ conversationId, password: null })}
        open={isClearing}
        title={`Clear the password of ${group.name}?`}
      />
    </Section>
  );
}
