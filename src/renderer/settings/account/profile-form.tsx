import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasMoreCharacters, MOST_NAME } from '../../../base/names.ts';
import { longest } from '../../../bridge/longest.ts';
import type { Me } from '../../../bridge/shapes.ts';
import { queryKey, useCommand } from '../../bridge.ts';
import { Avatar } from '../../design/avatar.tsx';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/text-field.tsx';
import { OwnAddress } from '../../people/own-address.tsx';
import { t } from '../../words.tsx';

/** The person's own handle, display name and address. */
export function ProfileForm({ me }: { me: Me }) {
  const [displayName, setDisplayName] = useState(me.displayName ?? '');
  const client = useQueryClient();
  const save = useCommand('profile.save', {
    showsFailure: true,
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKey('app.state') }),
  });
  const changed = displayName.trim() !== (me.displayName ?? '');
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) save.mutate({ displayName: displayName.trim() });
      }}
    >
      <div className="flex items-start gap-3">
        {/* Below a line as high as the label, centered on the field. */}
        <div className="mt-[calc(1lh+var(--spacing)*1.5)] flex h-[calc(2.125rem+2px)] items-center text-secondary">
          <Avatar person={{ ...me, displayName: displayName.trim() || null }} />
        </div>
        <TextField
          className="min-w-0 flex-1"
          label={t('settings.name')}
          maxLength={longest.name}
          most={MOST_NAME}
          note={
            save.error?.message ??
            (save.isSuccess && !changed
              ? t('settings.saved')
              : me.handle && t('settings.handle', { handle: `@${me.handle}` }))
          }
          noteTone={save.error ? 'problem' : 'hint'}
          onChange={(event) => setDisplayName(event.target.value)}
          value={displayName}
          beside={
            <Button
              busy={save.isPending}
              disabled={!changed || hasMoreCharacters(displayName, MOST_NAME)}
              type="submit"
            >
              {t('settings.nameSave')}
            </Button>
          }
        />
      </div>
      <div className="flex flex-col gap-1.5">
        <h4 className="font-semibold text-secondary">{t('settings.address')}</h4>
        <p className="text-ink-soft text-secondary">{t('settings.addressHelp')}</p>
        <OwnAddress address={me.address} />
      </div>
    </form>
  );
}
