import { useState } from 'react';
import { keptDays } from '../../../bridge/setting-bounds.ts';
import type { Settings } from '../../../bridge/settings.ts';
import { Confirmation } from '../../design/dialog.tsx';
import { RadioRow } from '../../design/setting-rows.tsx';
import { t } from '../../words.tsx';
import type { SettingProps } from '../entry.ts';

type Days = Settings['keepFilesDays'];

const ALWAYS = 'always';
const options = [
  { value: ALWAYS, label: t('settings.keepAlways') },
  ...keptDays.map((days) => ({ value: String(days), label: nameOf(days) })),
];

/** The time for which this computer keeps files. A shorter one removes files, and is confirmed first. */
export function KeepFiles({ settings: { keepFilesDays: now }, set }: SettingProps) {
  const [question, setQuestion] = useState<Days>(null);
  const [isAsking, setAsking] = useState(false);
  const choose = (next: Days) => {
    if (next === null || (now !== null && next >= now)) {
      set({ keepFilesDays: next });
      return;
    }
    setQuestion(next);
    setAsking(true);
  };
  return (
    <>
      <RadioRow
        legend={t('settings.keepFiles')}
        onChoose={(value) => choose(keptDays.find((days) => String(days) === value) ?? null)}
        options={options}
        value={now === null ? ALWAYS : String(now)}
      />
      <p className="text-ink-soft text-meta">{t('settings.keepText')}</p>
      <Confirmation
        action={t('settings.keepAction')}
        explanation={t('settings.keepQuestion')}
        onClose={() => setAsking(false)}
        onConfirm={() => set({ keepFilesDays: question })}
        open={isAsking}
        title={t('settings.keepTitle', { time: question === null ? '' : nameOf(question) })}
      />
    </>
  );
}

function nameOf(days: (typeof keptDays)[number]): string {
  return days === 365 ? t('settings.keepYear') : t('settings.keepDays', { days });
}
