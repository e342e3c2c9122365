import type { Arrived, Reacted } from '../../../../src/host/notifications/decision.ts';

/** The summary of a text. */
export const textOf = (text: string): Arrived['summary'] => ({ kind: 'text', fields: {}, text });

/** A message that arrived in a conversation, from @ann. */
export function arrived(conversationId: string, part: Partial<Arrived> = {}): Arrived {
  return {
    conversationId,
    messageId: '7',
    from: {
      address: `0x${'11'.repeat(20)}`,
      handle: 'ann',
      displayName: null,
      nickname: null,
      handleVerified: false,
      picture: null,
    },
    bot: null,
    group: null,
    hasNamesake: false,
    summary: textOf('the secret'),
    request: false,
    mentionsMe: false,
    muted: false,
    ...part,
  };
}

/** A reaction of @ann to a message of the person. */
export function reacted(conversationId: string, part: Partial<Reacted> = {}): Reacted {
  const { from, bot, group, hasNamesake } = arrived(conversationId);
  const about = { conversationId, messageId: '3', from, bot, group, hasNamesake };
  return { ...about, emoji: '👍', summary: textOf('On *my* way'), ...part };
}
