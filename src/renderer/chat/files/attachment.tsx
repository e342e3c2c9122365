import type { Message } from '../../../bridge/shapes/message.ts';
import { classNames } from '../../design/class-names.ts';
import { summaryText, t } from '../../words.tsx';
import { useRowActions } from '../actions/action-state.tsx';
import { MarkdownText } from '../markdown-text.tsx';
import { Album } from './album.tsx';
import { FileCard } from './file-card.tsx';
import { Film } from './film.tsx';
import { SinglePicture } from './picture-tile.tsx';
import { Sound } from './sound.tsx';
import type { FileOf } from './use-file.ts';
import { Voice } from './voice.tsx';

/** Reports whether a message has pictures and films, and no other file. */
export function hasOnlyPictures({ files }: Message): boolean {
  return files.length > 0 && files.every(({ type }) => type === 'image' || type === 'video');
}

/** The files of a message in their order, with the caption below. */
export function Attachment({ message }: { message: Message }) {
  const { id, mentions, text } = message;
  const { conversation } = useRowActions();
  if (conversation.state === 'request') return <InRequest message={message} />;
  const isPictures = hasOnlyPictures(message);
  return (
    <>
      {/* Words of the interface do not decide the direction of the caption. */}
      <div
        className={classNames(
          'flex flex-col gap-1.5 whitespace-normal',
          // Around pictures, the bubble is a thin rim.
          isPictures ? '-mx-2.5' : '-mx-1.5 pt-0.5',
          isPictures && message.replyTo === null && '-mt-1',
          text !== '' && 'mb-1.5',
        )}
        data-files
        dir={document.documentElement.dir}
      >
        {runsOf(message).map((run) => (
          <Run key={run[0]?.index} run={run} />
        ))}
      </div>
      {text !== '' && <MarkdownText id={id} mentions={mentions} text={text} />}
    </>
  );
}

/** Nothing of a file is shown before the request is accepted. */
function InRequest({ message }: { message: Message }) {
  return (
    <>
      <p className="font-semibold">{summaryText(message)}</p>
      <p className="text-ink-soft text-secondary">{t('files.inRequest')}</p>
    </>
  );
}

/** Pictures beside each other are one album; each other file is alone. */
function runsOf(message: Message): FileOf[][] {
  const runs: FileOf[][] = [];
  for (const [index, file] of message.files.entries()) {
    const last = runs.at(-1);
    const continues = file.type === 'image' && last?.[0]?.file.type === 'image';
    if (continues) last?.push({ message, file, index });
    else runs.push([{ message, file, index }]);
  }
  return runs;
}

function Run({ run }: { run: readonly FileOf[] }) {
  const [of] = run;
  if (!of) return null;
  if (run.length > 1) return <Album pictures={run} />;
  const { type } = of.file;
  if (type === 'image') return <SinglePicture of={of} />;
  if (type === 'video') return <Film of={of} />;
  if (type === 'voice') return <Voice of={of} />;
  return type === 'other' ? <FileCard of={of} /> : <Sound of={of} />;
}
