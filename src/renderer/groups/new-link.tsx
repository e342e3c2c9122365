import { type RefObject, useState } from 'react';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { RadioRow } from '../design/setting-rows.tsx';
import { announce } from '../shared/announcements.tsx';
import { useClearedOnline } from '../shared/use-cleared-online.ts';
import { t } from '../words.tsx';

const SECONDS = { '86400': 86_400, '604800': 604_800, '2592000': 2_592_000 } as const;
type Lifetime = keyof typeof SECONDS;

const LIFETIMES = [
  { value: '86400', label: t('groups.linkDays', { count: 1 }) },
  { value: '604800', label: t('groups.linkDays', { count: 7 }) },
  { value: '2592000', label: t('groups.linkDays', { count: 30 }) },
] as const satisfies readonly { value: Lifetime; label: string }[];

interface NewLinkProps {
  conversationId: string;
  /** The limit, if it is reached; else null. */
  most: number | null;
  submit: RefObject<HTMLButtonElement | null>;
}

/** Creates an invite link with a lifetime. */
export function NewLink({ conversationId, most, submit }: NewLinkProps) {
  const [lifetime, setLifetime] = useState<Lifetime>('604800');
  const create = useCommand('groups.createLink', {
    showsFailure: true,
    onSuccess: () => announce(t('groups.linkCreated')),
  });
  useClearedOnline(create);
  return (
    <form
      className="flex flex-col gap-3 rounded-menu border border-line bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ conversationId, expires: SECONDS[lifetime] });
      }}
    >
      <RadioRow
        legend={t('groups.linkExpiry')}
        onChoose={(chosen) => {
          create.reset();
          setLifetime(chosen);
        }}
        options={LIFETIMES}
        value={lifetime}
      />
      <p aria-live="polite" className="text-danger-ink empty:hidden">
        {create.error?.message}
      </p>
      {most !== null && <p className="text-ink-soft text-meta">{t('groups.linksFull', { most })}</p>}
      <div className="flex justify-end">
        <Button busy={create.isPending} disabled={most !== null} ref={submit} type="submit">
          {t('groups.linkNew')}
        </Button>
      </div>
    </form>
  );
}
