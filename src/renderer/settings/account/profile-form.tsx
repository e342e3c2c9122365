import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_NAME } from '../../../base/names.ts';
import { longest } from '../../../bridge/longest.ts';
import type { Me } from '../../../bridge/shapes/account.ts';
import { callBridge, queryKey, useCommand } from '../../bridge.ts';
import { Avatar } from '../../design/avatar.tsx';
import { FieldForm } from '../../design/field-form.tsx';
import { PictureEditor } from '../../faces/picture-editor.tsx';
import { OwnAddress } from '../../people/own-address.tsx';
import { WhileAccepted } from '../../shared/while-accepted.tsx';
import { t } from '../../words.tsx';
import { HandleForm } from './handle-form.tsx';

/** The person's own picture, name, text, handle and address. */
export function ProfileForm({ me }: { me: Me }) {
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: queryKey('app.state') });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar person={me} size="large" />
        <WhileAccepted>
          <PictureEditor
            hasPicture={me.picture !== null}
            isRound
            onSave={async (picture) => {
              await callBridge('profile.setPicture', { picture });
              refresh();
            }}
          />
        </WhileAccepted>
      </div>
      <WhileAccepted>
        <HandleForm me={me} onSaved={refresh} />
        <NameForm me={me} onSaved={refresh} />
        <AboutForm me={me} onSaved={refresh} />
      </WhileAccepted>
      <div className="flex flex-col gap-1.5">
        <h4 className="font-semibold text-secondary">{t('settings.address')}</h4>
        <p className="text-ink-soft text-secondary">{t('settings.addressHelp')}</p>
        <OwnAddress address={me.address} />
      </div>
    </div>
  );
}

interface FormProps {
  me: Me;
  onSaved: () => void;
}

function NameForm({ me, onSaved }: FormProps) {
  const [displayName, setDisplayName] = useState(me.displayName ?? '');
  const save = useCommand('profile.save', { showsFailure: true, onSuccess: onSaved });
  const changed = displayName.trim() !== (me.displayName ?? '');
  return (
    <FieldForm
      action={t('settings.nameSave')}
      busy={save.isPending}
      isChanged={changed}
      label={t('settings.name')}
      maxLength={longest.name}
      most={MAX_NAME}
      note={save.error?.message ?? (save.isSuccess && !changed ? t('settings.saved') : null)}
      noteTone={save.error ? 'problem' : 'hint'}
      onSave={() => save.mutate({ displayName: displayName.trim() })}
      onType={(value) => {
        if (!save.isPending) save.reset();
        setDisplayName(value);
      }}
      value={displayName}
    />
  );
}

function AboutForm({ me, onSaved }: FormProps) {
  const [about, setAbout] = useState(me.about ?? '');
  const save = useCommand('profile.save', { showsFailure: true, onSuccess: onSaved });
  const changed = about.trim() !== (me.about ?? '');
  return (
    <FieldForm
      action={t('settings.aboutSave')}
      busy={save.isPending}
      isChanged={changed}
      label={t('settings.aboutYou')}
      maxLength={longest.about}
      note={save.error?.message ?? t(save.isSuccess && !changed ? 'settings.saved' : 'settings.aboutHelp')}
      noteTone={save.error ? 'problem' : 'hint'}
      onSave={() => save.mutate({ displayName: me.displayName ?? '', about: about.trim() })}
      onType={(value) => {
        if (!save.isPending) save.reset();
        setAbout(value);
      }}
      spellCheck
      value={about}
    />
  );
}
