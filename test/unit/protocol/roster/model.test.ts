/**
 * Random people with random acts, allowed or not: the fold and a naive model of a group must agree on each
 * entry and on its result.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldRoster } from '../../../../src/protocol/roster/fold.ts';
import type { RosterEntry } from '../../../../src/protocol/roster/forms.ts';
import { emptyRoster, membersOf, type RosterState } from '../../../../src/protocol/roster/state.ts';
import { begin, END, mode, people, play, steps } from '../../../support/roster-drawing.ts';
import type { RosterModel } from '../../../support/roster-model.ts';
import { contextOf } from '../../../support/rosters.ts';
import { runs } from '../../../support/runs.ts';

const viewOf = (state: RosterState) => ({
  epoch: state.epoch,
  members: membersOf(state),
  count: state.memberCount,
  creator: state.creator,
  admins: state.admins.toSorted(),
  join: state.join,
  bots: state.bots.length,
  hasLinks: state.links.length > 0,
  unsignedBots: state.unsignedBots,
});

const viewOfModel = (model: RosterModel) => ({
  epoch: model.history.length,
  members: model.members,
  count: model.members.length,
  creator: model.creator,
  admins: model.admins,
  join: model.join,
  bots: model.bots,
  hasLinks: model.hasLinks,
  unsignedBots: model.unsignedBots,
});

const reached = new Map<string, number>();
const count = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1);

test('the fold agrees with a naive model of a group for any actions', () => {
  fc.assert(
    fc.property(mode, steps, fc.nat(), (join, drawn, cut) => {
      const drawing = begin(join);
      const { chain, model } = drawing;
      const refused: RosterEntry[] = [];
      for (const each of drawn) {
        const played = play(drawing, each);
        if (!played) continue;
        const { entry, modelled, verdict, highest, removedAt } = played;
        const { state, end } = chain.fold(entry, END);
        count(end?.end === 'refused' ? end.reason : (end?.end ?? `folded ${modelled.action.kind}`));
        expect(
          end === null ? 'yes' : end.end === 'wait' ? 'later' : 'no',
          JSON.stringify({ modelled, end }),
        ).toBe(verdict);
        if (end) {
          expect(state).toEqual(chain.state);
          refused.push(entry);
          continue;
        }
        chain.append(entry);
        expect(viewOf(chain.state)).toEqual(viewOfModel(model));

        // No entry by a device that the chain knows to be dropped.
        expect(modelled.list).toBeGreaterThanOrEqual(highest);
        expect(modelled.list === 2 && modelled.device === 1).toBe(false);
        // A removed member can return only with a ticket issued after the removal.
        if (modelled.action.kind === 'join' && removedAt !== null) {
          const { proof } = modelled.action;
          if (proof.by !== 'ticket') throw new Error('a removed member came back without a ticket');
          expect(proof.ticket.issued).toBeGreaterThan(removedAt);
          count('back by ticket');
        }
      }

      // The chain never goes back: no earlier entry is accepted again, and it continues where it was.
      const context = contextOf(people, END);
      for (const entry of chain.entries) {
        const { state, end } = foldRoster(chain.state, [entry], context);
        expect([state, end?.end]).toEqual([chain.state, 'refused']);
      }
      // Neither paging nor refused entries in between change the result.
      const at = cut % (chain.entries.length + 1);
      const [first, second] = [chain.entries.slice(0, at), chain.entries.slice(at)];
      const page = foldRoster(emptyRoster(chain.groupId), first, context);
      const bad = foldRoster(page.state, refused.slice(0, 1), context);
      const kept: RosterState = JSON.parse(JSON.stringify(bad.end ? bad.state : page.state));
      expect(foldRoster(kept, second, context).state).toEqual(chain.state);
    }),
    { numRuns: runs({ quick: 25, all: 200, nightly: 5_000 }) },
  );

  if (process.env.ROSTER_COUNTS) console.log(Object.fromEntries(reached));
  // Random steps are only useful if they reach each case.
  const wanted = [
    'folded join',
    'folded leave',
    'folded change',
    'back by ticket',
    'wait',
    'list_too_low',
    'device_expired',
    'ticket_void',
    'ticket_signer',
    'ticket_needed',
    'not_allowed',
    'remove_not_allowed',
    'wrong_creator',
  ];
  expect(wanted.filter((what) => !reached.has(what))).toEqual([]);
});
