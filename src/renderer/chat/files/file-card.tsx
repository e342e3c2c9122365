import { ArrowDownToLine, ExternalLink, Save, X } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Confirmation } from '../../design/dialog.tsx';
import { shownExtension } from '../../design/file-name.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { Progress } from '../../design/progress.tsx';
import { fileSize } from '../../shared/size.ts';
import { shortDate } from '../../shared/time.ts';
import { useMayAct } from '../../shared/use-shut-out.ts';
import { t } from '../../words.tsx';
import { fileIcon } from './file-icon.ts';
import { FileProblem } from './file-problem.tsx';
import { keepFocus } from './keep-focus.ts';
import { onePress } from './one-press.ts';
import { saveFile } from './save-file.ts';
import { type FileOf, placeOf, useFileProgress } from './use-file.ts';

/** A file with its name, its size and its actions. */
export function FileCard({ of }: { of: FileOf }) {
  const { file } = of;
  const Icon = fileIcon(file.type, file.name);
  const { done, total } = useFileProgress(of);
  const isMoving = file.state === 'sending' || file.state === 'receiving';
  return (
    // At least as wide as its facts during a download: their numbers change.
    <div className="max-w-full before:block before:h-0 before:w-[15rem] before:max-w-full" data-file-place>
      <div className="flex max-w-[20rem] items-center gap-2 whitespace-normal">
        <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-ink-soft">
          <Icon aria-hidden="true" className="size-5" strokeWidth={1.7} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-semibold text-secondary [overflow-wrap:anywhere]">
            <bdi>{file.name}</bdi>
          </p>
          <p className="text-ink-soft text-meta">
            {isMoving && total > 0
              ? t('files.progress', { done: fileSize(done), total: fileSize(total) })
              : factsOf(of)}
          </p>
        </div>
        <Buttons of={of} />
      </div>
      {isMoving && (
        <div className="mt-1.5 flex">
          <Progress
            done={done}
            label={t(file.state === 'sending' ? 'files.sending' : 'files.receiving', { name: file.name })}
            total={total}
          />
        </div>
      )}
      <FileProblem of={of} />
    </div>
  );
}

/** In characters: a name of so many wide ones is visible completely, on two lines of a narrow window. */
const LONGEST_WHOLE_NAME = 24;

function factsOf({ file: { name, size: bytes, state, until } }: FileOf): string {
  // The end of a long name is not visible.
  const type = name.length > LONGEST_WHOLE_NAME ? shownExtension(name).toUpperCase() : '';
  const size = type === '' ? fileSize(bytes) : t('files.typeAndSize', { type, size: fileSize(bytes) });
  if (state === 'gone') return t('files.sizeAndGone', { size });
  if (state === 'remote' && until !== null) return t('files.sizeAndUntil', { size, date: shortDate(until) });
  return size;
}

/** Download, Cancel, or Save and Open. */
function Buttons({ of }: { of: FileOf }) {
  const { file } = of;
  const { data: host } = useBridgeQuery('host.info', {});
  const mayAct = useMayAct();
  const change = useFirstAction(of);
  if (file.state === 'gone' || (file.state === 'remote' && !mayAct)) return null;
  return (
    <span className="flex shrink-0">
      <IconButton ref={keepFocus} {...change} />
      {file.state === 'here' && host?.kind === 'electron' && <OpenButton of={of} />}
    </span>
  );
}

/** The button is the same in all states: its focus stays. */
function useFirstAction(of: FileOf): Pick<ComponentProps<typeof IconButton>, 'icon' | 'label' | 'onClick'> {
  const { name, state } = of.file;
  const download = useCommand('files.download');
  const stop = useCommand('files.stop');
  if (state === 'remote')
    return {
      icon: ArrowDownToLine,
      label: t('files.download', { name }),
      onClick: onePress(() => download.mutate(placeOf(of))),
    };
  if (state !== 'here')
    return { icon: X, label: t('files.cancel', { name }), onClick: onePress(() => stop.mutate(placeOf(of))) };
  return {
    icon: Save,
    label: t('files.save', { name }),
    onClick: onePress(() => void saveFile(placeOf(of), name)),
  };
}

/** Opens a file in another program, after a question. */
function OpenButton({ of }: { of: FileOf }) {
  const { name } = of.file;
  const [isAsking, setAsking] = useState(false);
  const launch = useCommand('files.launch');
  return (
    <>
      <IconButton icon={ExternalLink} label={t('files.open', { name })} onClick={() => setAsking(true)} />
      <Confirmation
        action={t('files.openAction')}
        tone="primary"
        detail={
          <bdi className="mt-1 block rounded-control bg-sunken px-3 py-2 font-semibold [overflow-wrap:anywhere]">
            {name}
          </bdi>
        }
        explanation={t('files.openText')}
        onClose={() => setAsking(false)}
        onConfirm={() => launch.mutate(placeOf(of))}
        open={isAsking}
        title={t('files.openTitle')}
      />
    </>
  );
}
