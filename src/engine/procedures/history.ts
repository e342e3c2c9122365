/** Histories for linked computers. */
import type { Output } from '../../bridge/contract.ts';
import { HERE } from '../cache/linked-history.ts';
import { offerAgain } from '../linked-history/begin.ts';
import { endReceiving, endSending } from '../linked-history/end.ts';
import type { EngineParts } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `history.${string}`>;
type State = Output<'history.get'>;

/** Time without a sign of the other computer after which it may be off, in milliseconds. */
const QUIET = 15 * 60_000;

export function historyProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { files, linkedHistory, now, transaction } = context;

  const receiving = (): State['receiving'] => {
    const found = linkedHistory.receiving();
    if (!found || found.state === 'ending') return null;
    const { state, merged, parts: total, lastReceivedAt } = found;
    const isWaiting =
      linkedHistory.parts(HERE).length === 0 && (total === 0 || now() - lastReceivedAt > QUIET);
    return {
      state: state === 'receiving' && isWaiting ? 'waiting' : state,
      done: merged,
      total,
      problem: parts.online?.linkedHistory.receivingProblem ?? null,
    };
  };

  const sending = (): State['sending'] =>
    linkedHistory
      .sending()
      .flatMap<State['sending'][number]>(({ deviceId, state, lastReceivedAt, received, parts: total }) => {
        if (state === 'missed' || state === 'back')
          return [{ deviceId, state, done: 0, total: 0, problem: null }];
        if (state !== 'offered' && state !== 'sending') return [];
        const waiting = linkedHistory.parts(deviceId);
        const problem = waiting.find(({ file }) => file.problem)?.file.problem ?? null;
        const isQuiet = waiting.every(({ isSent }) => isSent) && now() - lastReceivedAt > QUIET;
        const isWaiting = state === 'offered' || isQuiet;
        return [{ deviceId, state: isWaiting ? 'waiting' : 'sending', done: received, total, problem }];
      });

  return {
    'history.offer': ({ deviceId }) => {
      offerAgain(context, deviceId);
      parts.online?.linkedHistory.wake();
      return {};
    },
    'history.get': () => ({ receiving: receiving(), sending: sending() }),
    'history.stop': ({ deviceId }) => {
      transaction(() => (deviceId === null ? endReceiving(context) : endSending(context, deviceId, false)));
      files.reportRemoved();
      context.emit('history.changed', {});
      parts.online?.linkedHistory.wake();
      return {};
    },
  };
}
