import { memo, type ReactNode, useMemo } from 'react';
import { isBlock } from '../../base/markdown/markdown.ts';
import { type ShownToken, tokensWithMentions } from '../../bridge/mention-tokens.ts';
import type { PlacedMention } from '../../bridge/shapes/message.ts';
import { CodeBlock } from './code-block.tsx';
import { MentionChip } from './mention-chip.tsx';
import { OutsideLink } from './outside-link.tsx';
import { shortened } from './shortened.ts';
import { ShowAll, useShownWhole } from './whole-messages.tsx';

interface MarkdownTextProps {
  text: string;
  mentions: readonly PlacedMention[];
  /** Id of its message. */
  id: string;
}

/** A message's text with formatting; of a long one the beginning, until the person expands it. */
export const MarkdownText = memo(function MarkdownText({ text, mentions, id }: MarkdownTextProps) {
  const tokens = useMemo(() => tokensWithMentions(text, mentions), [text, mentions]);
  const beginning = useMemo(() => shortened(tokens), [tokens]);
  const { isWhole } = useShownWhole(id);
  if (!beginning) return tokens.map(drawToken);
  return (
    <>
      {(isWhole ? tokens : beginning).map(drawToken)}
      {!isWhole && ' …'}
      <ShowAll id={id} />
    </>
  );
});

function drawToken(token: ShownToken, index: number): ReactNode {
  switch (token.kind) {
    case 'text':
      return token.text;
    case 'code':
      return (
        <code
          className="rounded-chip bg-[light-dark(rgb(60_40_20/0.08),rgb(255_240_225/0.1))] px-1 py-px font-mono text-secondary"
          key={index}
        >
          {token.text}
        </code>
      );
    case 'code-block':
      return <CodeBlock key={index} language={token.language} text={token.text} />;
    case 'quote':
      return (
        <blockquote className="my-1 border-line-strong border-s-[3px] ps-2.5" dir="auto" key={index}>
          {token.children.map(drawToken)}
        </blockquote>
      );
    case 'list': {
      const List = token.isNumbered ? 'ol' : 'ul';
      return (
        <List
          className={`my-1 whitespace-normal ps-6 ${token.isNumbered ? 'list-decimal' : 'list-disc'}`}
          key={index}
        >
          {token.children.map(drawToken)}
        </List>
      );
    }
    case 'item':
      return (
        <li key={index} value={token.number ?? undefined}>
          <span className="whitespace-pre-wrap">
            {token.children.filter((each) => !isBlock(each)).map(drawToken)}
          </span>
          {token.children.filter(isBlock).map(drawToken)}
        </li>
      );
    case 'strikethrough':
      return <s key={index}>{token.children.map(drawToken)}</s>;
    case 'link':
      return (
        <OutsideLink href={token.href} key={index}>
          {token.text}
        </OutsideLink>
      );
    case 'mention':
      return <MentionChip key={index} name={token.text} person={token.person} />;
    case 'bold':
      return <strong key={index}>{token.children.map(drawToken)}</strong>;
    case 'italic':
      return <em key={index}>{token.children.map(drawToken)}</em>;
  }
}
