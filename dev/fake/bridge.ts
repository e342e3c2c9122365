/**
 * A bridge without an engine: answers from a world that exists in the page only. Each answer is
 * checked against the contract, so that no scene shows data that an engine would not return.
 */

import { Failure } from '../../src/base/failure.ts';
import { type Bridge, type ProcedureName, procedures } from '../../src/bridge/contract.ts';
import type { Answer } from '../../src/bridge/failure.ts';
import { makePageBridge } from '../../src/bridge/page-bridge.ts';
import { backupAnswers } from './answers/backup.ts';
import { conversationAnswers } from './answers/conversations.ts';
import { fileAnswers } from './answers/files.ts';
import { groupAnswers } from './answers/groups.ts';
import { hostAnswers } from './answers/host.ts';
import { inviteAnswers } from './answers/invites.ts';
import { messageAnswers } from './answers/messages.ts';
import { peopleAnswers } from './answers/people.ts';
import { searchAnswers } from './answers/search.ts';
import { setupAnswers } from './answers/setup.ts';
import type { Answers, Emit } from './contract.ts';
import { DelayedAnswers } from './delayed-answers.ts';
import { expire } from './expiry.ts';
import type { World } from './world.ts';

/** The `window.waxwing` of a scene; `emit` sends its page events that no procedure causes. */
export function fakeBridge(world: World, delayed = new DelayedAnswers()): Bridge & { emit: Emit } {
  const page = makePageBridge((name, input) => answer(name as ProcedureName, input));
  const emit: Emit = (name, payload) => page.emit(name, payload);
  // Without one of them this does not compile.
  const answers: Answers = {
    ...setupAnswers(world, emit),
    ...conversationAnswers(world, emit),
    ...messageAnswers(world, emit),
    ...fileAnswers(world, emit, delayed),
    ...groupAnswers(world, emit),
    ...inviteAnswers(world, emit),
    ...peopleAnswers(world, emit),
    ...searchAnswers(world),
    ...backupAnswers(world, emit, delayed),
    ...hostAnswers(world, emit),
  };

  async function answer(name: ProcedureName, input: unknown): Promise<Answer<unknown>> {
    const { input: inputSchema, output: outputSchema } = procedures[name];
    try {
      await delayed.pass(name);
      expire(world, emit);
      const answer = answers[name] as (input: unknown) => unknown;
      const value = outputSchema.parse(structuredClone(await answer(inputSchema.parse(input))));
      await delayed.passAnswer(name);
      return { ok: true, value };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ok: false, failure: error.data };
    }
  }

  return {
    emit,
    calls: page.bridge.calls,
    on(event, listener) {
      const stop = page.bridge.on(event, listener);
      // As after a click on a notification: told when the window listens.
      if (event === 'navigate.conversation' && world.open !== null) {
        const conversationId = world.open;
        world.open = null;
        queueMicrotask(() => emit('navigate.conversation', { conversationId }));
      }
      return stop;
    },
  };
}
