import { Switch } from '@base-ui/react/switch';
import { useId } from 'react';

interface RadioRowProps<V extends string> {
  legend: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChoose: (value: V) => void;
}

/** A choice among a few, side by side if there is room. */
export function RadioRow<V extends string>({ legend, options, value, onChoose }: RadioRowProps<V>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-2 text-secondary text-ink-soft">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            className="relative cursor-pointer rounded-control border border-line-strong bg-raised px-3 py-2 has-checked:border-accent-ink has-checked:bg-selection has-checked:font-semibold forced-colors:has-checked:border-2 forced-colors:has-checked:border-[Highlight] has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
            key={option.value}
          >
            <input
              checked={option.value === value}
              className="sr-only"
              name={name}
              onChange={() => onChoose(option.value)}
              type="radio"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface RadioListProps<V extends string> extends Omit<RadioRowProps<V>, 'options'> {
  options: readonly { value: V; label: string; explanation: string }[];
}

/** A choice among a few, one below the other, each with its explanation. */
export function RadioList<V extends string>({ legend, options, value, onChoose }: RadioListProps<V>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-semibold text-secondary">{legend}</legend>
      {options.map((option) => {
        const explanationId = `${name}-${option.value}`;
        return (
          <div className="flex items-start gap-2.5" key={option.value}>
            <input
              aria-describedby={explanationId}
              checked={option.value === value}
              className="mt-0.5 size-4 shrink-0 accent-accent"
              id={`${explanationId}-choice`}
              name={name}
              onChange={() => onChoose(option.value)}
              type="radio"
            />
            <span className="min-w-0">
              <label className="block cursor-pointer" htmlFor={`${explanationId}-choice`}>
                {option.label}
              </label>
              <span className="block text-ink-soft text-meta" id={explanationId}>
                {option.explanation}
              </span>
            </span>
          </div>
        );
      })}
    </fieldset>
  );
}

interface SwitchRowProps {
  label: string;
  explanation: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function SwitchRow({ label, explanation, checked, disabled = false, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <div>
        <p id={id}>{label}</p>
        <p className="text-ink-soft text-meta">{explanation}</p>
      </div>
      <Switch.Root
        aria-labelledby={id}
        checked={checked}
        className="h-6 w-10 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors data-disabled:cursor-not-allowed data-checked:bg-accent data-disabled:opacity-50"
        disabled={disabled}
        onCheckedChange={onChange}
      >
        <Switch.Thumb className="block size-5 rounded-full bg-on-accent shadow-raised transition-transform data-checked:translate-x-4 rtl:data-checked:-translate-x-4" />
      </Switch.Root>
    </div>
  );
}
