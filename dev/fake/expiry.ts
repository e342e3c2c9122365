import type { Emit } from './contract.ts';
import type { World } from './world.ts';

/** Deletes the messages that have expired by now, as an engine does before it answers. */
export function expire(world: World, emit: Emit): void {
  const isOver = (at: number | null | undefined) => at != null && at <= Date.now();
  for (const [conversationId, messages] of world.messages) {
    const ids = messages.filter(({ disappears }) => isOver(disappears?.at)).map(({ id }) => id);
    if (ids.length === 0) continue;
    world.messages.set(
      conversationId,
      messages.filter(({ id }) => !ids.includes(id)),
    );
    emit('messages.expired', { conversationId, ids });
    emit('messages.changed', { conversationId });
    emit('conversations.changed', { ids: [conversationId] });
  }
}
