import { useState } from 'react';
import { hasMoreCharacters, MOST_NAME } from '../../base/names.ts';
import { longest } from '../../bridge/longest.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { t } from '../words.tsx';

/** The person's private name for someone. */
export function NicknameForm({ person: { address, nickname } }: { person: Person }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = useCommand('people.setNickname', { onSuccess: () => setTyped(null) });
  const saved = nickname ?? '';
  const isChanged = typed !== null && typed.trim() !== saved;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) save.mutate({ address, nickname: typed.trim() || null });
      }}
    >
      <TextField
        dir="auto"
        label={t('people.nickname')}
        maxLength={longest.name}
        most={MOST_NAME}
        note={t('people.nicknameText')}
        onChange={(event) => setTyped(event.target.value)}
        value={typed ?? saved}
        beside={
          <Button
            busy={save.isPending}
            disabled={!isChanged || hasMoreCharacters(typed, MOST_NAME)}
            type="submit"
          >
            {t('people.nicknameSave')}
          </Button>
        }
      />
    </form>
  );
}
