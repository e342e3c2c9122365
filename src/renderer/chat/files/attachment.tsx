import type { Message } from '../../../bridge/shapes.ts';
import { MarkdownText } from '../markdown-text.tsx';

/** The files of a message, with the caption below. */
export function Attachment({ message: { files, id, mentions, text } }: { message: Message }) {
  return (
    <>
      <ul>
        {files.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: files of a message keep their places
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {text !== '' && <MarkdownText id={id} mentions={mentions} text={text} />}
    </>
  );
}
