import { Failure } from '../../../src/base/failure.ts';
import { isReservedHandle } from '../../../src/protocol/reserved-handles.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { addressOf, DAY, NOW } from '../people.ts';
import type { World } from '../world.ts';

const WORDS = 'abandon ability able about above absent absorb abstract absurd abuse access accident'.split(
  ' ',
);
const ASKED = [2, 7, 11];

/** Addresses with these words are servers that do not admit everyone. */
function registrationAt(url: string): 'open' | 'code' | 'list' {
  if (url.includes('invite')) return 'code';
  return url.includes('list') ? 'list' : 'open';
}

/** First run: any phrase of twelve words is right, every server answers but those called `gone`. */
export function setupAnswers(
  world: World,
  emit: Emit,
): AnswersOf<'app' | 'account' | 'relay' | 'setup' | 'handle' | 'profile'> {
  const setDeletion = (deletion: World['deletion']) => {
    world.deletion = deletion;
    emit('app.changed', {});
    return {};
  };
  return {
    // The phrase of another account is the only rejected one.
    'account.delete': ({ secret }) => {
      if (secret?.includes('wrong')) throw new Failure('other_account');
      if (world.ownedGroups !== '') throw new Failure('owned_groups', { names: world.ownedGroups, more: 0 });
      return setDeletion(secret === null ? { kind: 'planned', at: NOW + 7 * DAY } : { kind: 'done' });
    },
    'account.keep': () => setDeletion(null),
    'account.reopen': () => setDeletion(null),
    'app.state': () => ({
      phase: world.phase,
      me: world.phase === 'new' ? null : world.me,
      deletion: world.phase === 'new' ? null : world.deletion,
      relays: world.relays,
      offersRestore: world.phase !== 'new' && world.offersRestore,
    }),
    'relay.check': ({ url }) =>
      /^https?:\/\/(?!gone)\S+/.test(url)
        ? {
            ok: true,
            url,
            name: 'The Relay of Example',
            version: '0.1.0',
            registration: registrationAt(url),
            problem: null,
          }
        : {
            ok: false,
            url,
            name: null,
            version: null,
            registration: null,
            problem: { code: 'relay_silent', parameters: {} },
          },
    'setup.newPhrase': () => ({ words: WORDS, places: ASKED }),
    'setup.checkSecret': ({ secret }) =>
      secret.trim().split(/\s+/).length === 12
        ? { kind: 'phrase', address: addressOf(secret), problem: null }
        : { kind: null, address: null, problem: { code: 'secret_one_word', parameters: {} } },
    'setup.otherDevices': () =>
      world.devices.map((device) => ({ ...device, isThis: false, keepsPhrase: null })),
    'setup.startLink': () => ({
      code: '0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV',
      uri: 'waxwing:link/0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV',
      expiresAt: Date.now() + 10 * 60_000,
    }),
    'setup.findOffer': () => ({ offer: { address: world.me.address, handle: world.me.handle } }),
    'setup.finish': ({ identity }) => {
      if (
        identity.kind === 'new' &&
        identity.answers.some((word, index) => word !== WORDS[(ASKED[index] ?? 1) - 1])
      )
        throw new Failure('phrase_words_wrong');
      world.offersRestore = identity.kind === 'import';
      world.phase = identity.kind === 'new' ? 'needs-handle' : 'ready';
      emit('app.changed', {});
      return world.me;
    },
    'setup.endRestore': () => {
      world.offersRestore = false;
      emit('app.changed', {});
      return {};
    },
    'handle.check': ({ handle }) => {
      if (world.connection.state === 'offline') throw new Failure('relay_unreachable');
      if (!/^[a-z][a-z0-9_]{2,31}$/.test(handle)) return { status: 'invalid' };
      if (isReservedHandle(handle)) return { status: 'reserved' };
      if (handle === world.me.handle) return { status: 'mine' };
      return { status: handle === 'ann' ? 'taken' : 'free' };
    },
    'profile.save': ({ handle, displayName, about }) => {
      if (world.connection.state === 'offline') throw new Failure('relay_unreachable');
      // Reserved for its last owner: a look-up does not find it.
      if (handle === 'former') throw new Failure('handle_in_use', { handle });
      world.me = {
        ...world.me,
        displayName: displayName || null,
        ...(handle !== undefined && { handle }),
        ...(about !== undefined && { about: about || null }),
      };
      world.phase = 'ready';
      emit('app.changed', {});
      return world.me;
    },
    'profile.setPicture': ({ picture }) => {
      world.me = { ...world.me, picture: picture?.id ?? null };
      emit('app.changed', {});
      return world.me;
    },
  };
}
