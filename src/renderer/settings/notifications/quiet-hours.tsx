import { useId } from 'react';
import type { Settings } from '../../../bridge/settings.ts';
import { SwitchRow } from '../../design/setting-rows.tsx';
import { fieldFrame } from '../../design/text-field.tsx';
import { t } from '../../words.tsx';

type Hours = NonNullable<Settings['quietHours']>;

const usual: Hours = { from: '22:00', to: '07:00' };

interface QuietHoursProps {
  value: Settings['quietHours'];
  disabled: boolean;
  onChange: (value: Settings['quietHours']) => void;
}

/** Hours of each day without notifications. */
export function QuietHours({ value, disabled, onChange }: QuietHoursProps) {
  return (
    <div className="flex flex-col gap-2">
      <SwitchRow
        checked={value !== null}
        disabled={disabled}
        explanation={t('settings.quietHoursText')}
        label={t('settings.quietHours')}
        onChange={(isOn) => onChange(isOn ? usual : null)}
      />
      {value && !disabled && (
        <div className="flex flex-wrap gap-3">
          <Time
            label={t('settings.quietFrom')}
            onChange={(from) => onChange({ ...value, from })}
            value={value.from}
          />
          <Time
            label={t('settings.quietTo')}
            onChange={(to) => onChange({ ...value, to })}
            value={value.to}
          />
          {value.from === value.to && (
            <p className="text-secondary text-danger-ink" role="status">
              {t('settings.quietSame')}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function Time({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (time: string) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <label className="text-secondary text-ink-soft" htmlFor={id}>
        {label}
      </label>
      <div className={fieldFrame}>
        <input
          className="h-9 bg-transparent px-3 tabular-nums outline-none"
          id={id}
          // A half-typed time is ignored.
          onChange={({ target }) => target.value !== '' && onChange(target.value)}
          type="time"
          value={value}
        />
      </div>
    </div>
  );
}
