import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Differing, SameNames } from '../../../../src/engine/views/kinds-with-look.ts';
import { Contents, contents } from '../../../../src/messaging/contents/all-kinds.ts';
import { textKind, viewKind } from '../../../../src/messaging/contents/kind.ts';
import { invite } from '../../../../src/messaging/contents/kinds/invite.ts';
import { text } from '../../../../src/messaging/contents/kinds/text.ts';
import { readVectors } from '../../../support/vectors.ts';

const schema = z.looseObject({ kind: z.string() });
const facts = { schema, textField: null, editable: false, unsigned: false };
const cake = viewKind({ name: 'cake', ...facts, summary: () => 'A cake' });
const loud = textKind({ name: 'loud', ...facts, textField: 'shout' });

const withText = new Contents([text, invite, loud]);
const withLook = new Contents([text, invite, cake]);
type LooksOf<C> = C extends Contents<infer Look> ? Look : never;

/** Does nothing: the compiler judges the type. */
const compiles = <T>(): T[] => [];

test('a kind with its own look compiles only if the interface has the same', () => {
  compiles<SameNames<Differing<LooksOf<typeof withText>, 'invite'>>>();
  // @ts-expect-error the interface does not know cake
  compiles<SameNames<Differing<LooksOf<typeof withLook>, 'invite'>>>();
  // @ts-expect-error there is no cake
  compiles<SameNames<Differing<LooksOf<typeof withText>, 'invite' | 'cake'>>>();
  const body = { kind: 'loud', shout: 'HELP' };
  expect(withText.judge('direct', body)).toMatchObject({ text: 'HELP', summary: 'HELP' });
});

test('a kind with its own look requires a one-line summary', () => {
  // @ts-expect-error it has no summary
  const silent = () => viewKind({ name: 'silent', ...facts }).judge('direct', { kind: 'silent' });
  expect(silent).toThrow(TypeError);
  expect(withLook.judge('direct', { kind: 'cake' })).toMatchObject({ text: null, summary: 'A cake' });
});

test('a kind whose name no body may have is refused at the start, not at sending', () => {
  const hyphen = textKind({ name: 'with-hyphen', ...facts, textField: 'text' });
  expect(() => new Contents([text, hyphen])).toThrow('invalid_format');
});

test('every message of the vectors has a summary', () => {
  const { contents: cases } = readVectors<{
    contents: { channel: 'direct' | 'group'; body: { kind: string } }[];
  }>('waxwing/kinds.json');
  const summaries = cases.flatMap(({ channel, body }) => {
    const judged = contents.judge(channel, body);
    return judged.as === 'message' ? judged.summary : [];
  });
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries).not.toContain('');
});
