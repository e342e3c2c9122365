import { type ComponentProps, type ReactNode, useId } from 'react';
import { countCharacters } from '../../base/names.ts';
import { t } from '../words.tsx';
import { classNames } from './class-names.ts';
import { directionOf } from './text-direction.ts';
import { useSpokenOnce } from './use-spoken-once.ts';

interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  value: string;
  /** The limit of characters. The field accepts more and shows an error, so that no text is cut unnoticed. */
  most?: number;
  /** A fixed text before the input, such as `@`. */
  prefix?: string;
  /** An error, a confirmation or a hint; for screen readers it is the field's description. */
  note?: ReactNode;
  noteTone?: 'hint' | 'good' | 'problem';
  /** Buttons on the line of the field, or under it where the line is too narrow. */
  beside?: ReactNode;
}

/** The number of remaining characters from which the field shows a counter. */
const COUNTED = 10;

const noteTones = { hint: 'text-ink-soft', good: 'text-success-ink', problem: 'text-danger-ink' };

export function TextField(props: TextFieldProps) {
  const { label, prefix, note: given, noteTone = 'hint', className, most, beside, ...input } = props;
  const id = useId();
  const noteId = `${id}-note`;
  const left = most === undefined ? COUNTED + 1 : most - countCharacters(input.value);
  const tone = left < 0 ? 'problem' : noteTone;
  const note = left < 0 || (left <= COUNTED && noteTone !== 'problem') ? lengthNote(left) : given;
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label className="font-semibold text-secondary" htmlFor={id}>
        {label}
      </label>
      <div className="flex flex-wrap items-center gap-2">
        {/* A prefix precedes the text in every language. */}
        <div className={classNames(fieldFrame, 'min-w-0 flex-[1_1_10rem]')} dir={prefix ? 'ltr' : undefined}>
          {prefix && (
            <span aria-hidden="true" className="select-none ps-3 text-interface text-ink-soft">
              {prefix}
            </span>
          )}
          <input
            aria-describedby={noteId}
            aria-invalid={tone === 'problem' || undefined}
            autoComplete="off"
            className={classNames(
              'h-[2.125rem] w-full min-w-0 bg-transparent pe-3 text-interface outline-none',
              prefix ? 'ps-0.5' : 'ps-3',
            )}
            dir={prefix ? undefined : directionOf(input.value)}
            id={id}
            spellCheck={false}
            {...input}
          />
        </div>
        {beside}
      </div>
      <FieldNote id={noteId} tone={tone}>
        {note}
      </FieldNote>
    </div>
  );
}

function lengthNote(left: number): string {
  return left < 0 ? t('common.tooLong', { count: -left }) : t('common.left', { count: left });
}

/** The frame of a text input; it shows focus for the borderless input inside. */
export const fieldFrame =
  'flex items-center rounded-control border border-line-strong bg-raised transition-shadow duration-100 focus-within:border-focus focus-within:shadow-[0_0_0_1px_var(--color-focus)] forced-colors:focus-within:outline-3 forced-colors:focus-within:outline-[Highlight]';

interface FieldNoteProps {
  id: string;
  tone: keyof typeof noteTones;
  children: ReactNode;
}

/**
 * The line under a field. It keeps its height while empty, so that nothing below it jumps. Its first text is read with
 * the field; only later ones are announced.
 */
export function FieldNote({ id, tone, children }: FieldNoteProps) {
  const { isFirst, isDescription } = useSpokenOnce(id, children);
  return (
    <p
      className={classNames('min-h-5 text-secondary', noteTones[tone])}
      data-note=""
      id={isDescription ? id : undefined}
    >
      {isFirst && children}
      <span aria-live="polite">{!isFirst && children}</span>
      {!isDescription && <span id={id} />}
    </p>
  );
}
