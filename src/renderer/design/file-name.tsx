import { extensionOf } from '../../base/file-name.ts';
import { classNames } from './class-names.ts';

/** In characters. A longer one is a part of the name. */
const LONGEST_EXTENSION = 8;

/** The extension of a file name in lower case, without its dot; empty without one. */
export function shownExtension(name: string): string {
  const extension = extensionOf(name);
  return extension.length <= LONGEST_EXTENSION ? extension : '';
}

interface FileNameProps {
  name: string;
  className?: string;
}

/**
 * A file name on one line. If there is no room for all of it, its extension stays visible, because it shows the type. The
 * extension is at the right also of a Hebrew or Arabic name, in every language.
 */
export function FileName({ name, className }: FileNameProps) {
  const extension = shownExtension(name);
  const end = extension === '' ? name.length : name.length - extension.length - 1;
  return (
    <bdi className={classNames('flex min-w-0', className)} dir="ltr">
      <bdi className="truncate">{name.slice(0, end)}</bdi>
      <span className="shrink-0">{name.slice(end)}</span>
    </bdi>
  );
}
