import { useState } from 'react';
import { MAX_NAME } from '../../base/names.ts';
import { longest } from '../../bridge/longest.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { useCommand } from '../bridge.ts';
import { FieldForm } from '../design/field-form.tsx';
import { t } from '../words.tsx';

/** The person's private name for someone. */
export function NicknameForm({ person: { address, nickname } }: { person: Person }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = useCommand('people.setNickname', { onSuccess: () => setTyped(null) });
  const saved = nickname ?? '';
  const isChanged = typed !== null && typed.trim() !== saved;
  return (
    <FieldForm
      action={t('people.nicknameSave')}
      busy={save.isPending}
      isChanged={isChanged}
      label={t('people.nickname')}
      maxLength={longest.name}
      most={MAX_NAME}
      note={t('people.nicknameText')}
      onSave={() => save.mutate({ address, nickname: typed?.trim() || null })}
      onType={setTyped}
      value={typed ?? saved}
    />
  );
}
