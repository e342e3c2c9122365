/** First run: progress, relay, identity, handle. */

import { parseAddress } from '../../base/address.ts';
import { Failure, failedWith } from '../../base/failure.ts';
import { toName } from '../../base/names.ts';
import { findSecretProblem, walletFromSecret } from '../../base/wallet-secret.ts';
import type { Input } from '../../bridge/contract.ts';
import type { RelayChoice } from '../../bridge/procedures/setup-procedures.ts';
import type { Me } from '../../bridge/shapes/account.ts';
import { checkRelay, normaliseRelayUrl } from '../../client/check.ts';
import { RelayRefusal } from '../../client/http.ts';
import { About, MAX_ABOUT_BYTES } from '../../messaging/contents/kinds/profile.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { onOneLine } from '../../protocol/label.ts';
import { isReservedHandle } from '../../protocol/reserved-handles.ts';
import { Handle } from '../../protocol/schemas/directory.ts';
import { generatePhrase, type Wallet, walletFromPhrase } from '../../protocol/wallet.ts';
import { type Account, openAccount, registrationOf } from '../identity/account.ts';
import { LinkJoin } from '../identity/link-join.ts';
import { provenDevices } from '../identity/other-devices.ts';
import { requestHistory } from '../linked-history/begin.ts';
import { ABOUT, HANDLE } from '../own/profile.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import type { Procedures } from './implementation.ts';
import { ownView } from './own-view.ts';

type Names = Extract<
  keyof Procedures,
  | `app.${string}`
  | `relay.${string}`
  | `setup.${string}`
  | `handle.${string}`
  | 'profile.save'
  | `connection.${string}`
>;

/** A phrase that was shown but not confirmed. In memory only. */
interface PhraseDraft {
  words: string[];
  places: number[];
}

export function setupProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context, relays } = parts;
  const links = new LinkJoin();
  let draft: PhraseDraft | null = null;
  let isFinishing = false;
  /** In memory only: a restart of the engine offers no restore, which Settings still has. */
  let offersRestore = false;

  const relayUrl = (choice: RelayChoice): string | null => {
    if (relays.fixed !== null) return normaliseRelayUrl(relays.fixed);
    if (choice.kind === 'url') return normaliseRelayUrl(choice.url);
    if (relays.embedded === null) {
      throw new Failure('no_relay_here');
    }
    return null;
  };

  const confirmedWallet = (answers: string[]): { wallet: Wallet; phrase: string } => {
    if (!draft) throw new Failure('phrase_not_shown');
    const { words, places } = draft;
    const right = places.every((place, index) => answers[index]?.trim().toLowerCase() === words[place - 1]);
    if (!right) {
      throw new Failure('phrase_words_wrong');
    }
    const phrase = words.join(' ');
    return { wallet: walletFromPhrase(phrase), phrase };
  };

  /** Stored before the relay receives this device: a certificate for a lost key would be useless. */
  const register = async (
    choice: Exclude<Input<'setup.finish'>['identity'], { kind: 'link' }>,
    storedUrl: string | null,
    url: string,
    invitation: string | null,
  ): Promise<Account> => {
    const { wallet, phrase } =
      choice.kind === 'new' ? confirmedWallet(choice.answers) : walletFromSecret(choice.secret);
    const { address, privateKey: walletKey } = wallet;
    // A second attempt with the same wallet continues with the same device.
    const pending = context.identity.get();
    const deviceSeed = pending?.address === address ? pending.deviceSeed : randomBytes(32);
    context.identity.replacePending({ address, walletKey, phrase, deviceSeed, relayUrl: storedUrl });
    // Left over from a link that was not completed.
    context.linkedHistory.endReceiving();
    const account = openAccount({ address, walletKey, deviceSeed }, url, {
      invitation,
      reopens: choice.kind === 'import',
    });
    const without = choice.kind === 'import' ? choice.without : undefined;
    await admitted(address, registrationOf(context, account).ensure([], { without }));
    return account;
  };

  /** The offered lists are pinned: a relay that shows others later is detected. */
  const join = async (agreed: string, url: string): Promise<Account> => {
    const { address, deviceSeed, relayUrl: offeredAt, lists } = links.agreed(parseAddress(agreed));
    if (offeredAt !== url) throw new Failure('link_gone');
    context.identity.replacePending({ address, walletKey: null, phrase: null, deviceSeed, relayUrl: url });
    context.identity.addLists(lists);
    requestHistory(context);
    const account = openAccount({ address, walletKey: null, deviceSeed }, url);
    await registrationOf(context, account).ensure();
    return account;
  };

  const finish = async ({ relay, invitation, identity: choice }: Input<'setup.finish'>): Promise<Me> => {
    const storedUrl = relayUrl(relay);
    const url = storedUrl ?? relays.embedded ?? '';
    const account =
      choice.kind === 'link'
        ? await join(choice.address, url)
        : await register(choice, storedUrl, url, codeIn(invitation));
    const known = await account.relay.me();
    context.identity.saveProfile(known);
    draft = null;
    offersRestore = choice.kind === 'import';
    links.forget();
    parts.goOnline();
    context.emit('app.changed', {});
    return ownView(parts, { account, url });
  };

  return {
    'app.state': () => {
      const identity = context.identity.get();
      const offers = { embedded: relays.embedded !== null, fixed: relays.fixed };
      if (!parts.online || !identity) {
        return { phase: 'new', me: null, deletion: null, relays: offers, offersRestore: false };
      }
      return {
        phase: identity.handle === null ? 'needs-handle' : 'ready',
        me: ownView(parts),
        deletion: parts.online.accountStatus.deletion,
        relays: offers,
        offersRestore,
      };
    },

    'relay.check': ({ url }) => checkRelay(url),

    'setup.newPhrase': () => {
      const words = generatePhrase().split(' ');
      draft = { words, places: threePlaces(words.length) };
      return draft;
    },

    'setup.checkSecret': ({ secret }) => {
      const problem = findSecretProblem(secret);
      if (problem !== null) return { kind: null, address: null, problem: problem.data };
      const { wallet, phrase } = walletFromSecret(secret);
      return {
        kind: phrase === null ? 'key' : 'phrase',
        address: toChecksumAddress(wallet.address),
        problem: null,
      };
    },

    'setup.otherDevices': ({ relay, invitation, secret }) => {
      const { wallet } = walletFromSecret(secret);
      const url = relayUrl(relay) ?? relays.embedded ?? '';
      return admitted(wallet.address, provenDevices(wallet, url, codeIn(invitation), context.now()));
    },

    'setup.startLink': async ({ relay }) => {
      if (parts.online) throw new Failure('set_up_already');
      const url = relayUrl(relay);
      if (url === null) throw new Failure('link_relay_needed');
      // An interrupted join is in the list already: its code is the same.
      const pending = context.identity.get();
      const known =
        pending && pending.walletKey === null && pending.relayUrl === url ? pending.deviceSeed : null;
      return links.start(url, known, context.now());
    },

    'setup.findOffer': async () => {
      const found = await links.look(context.now());
      if (!found) return { offer: null };
      return { offer: { address: toChecksumAddress(found.address), handle: found.handle } };
    },

    'setup.finish': async (input) => {
      if (parts.online) throw new Failure('set_up_already');
      if (isFinishing) throw new Failure('setting_up');
      isFinishing = true;
      try {
        return await finish(input);
      } finally {
        isFinishing = false;
      }
    },

    'setup.endRestore': () => {
      offersRestore = false;
      context.emit('app.changed', {});
      return {};
    },

    'handle.check': async ({ handle: typed }) => {
      const { account } = requireOnline(parts);
      const handle = typed.trim().replace(/^@/, '');
      if (!Handle.safeParse(handle).success) return { status: 'invalid' };
      if (isReservedHandle(handle)) return { status: 'reserved' };
      const holder = await account.relay.handle(handle);
      if (!holder) return { status: 'free' };
      return { status: holder.address === account.address ? 'mine' : 'taken' };
    },

    'profile.save': async ({ handle: typed, displayName, about }) => {
      const { account } = requireOnline(parts);
      const identity = context.identity.get();
      const handle = typed?.trim().replace(/^@/, '') ?? null;
      if (handle !== null && !Handle.safeParse(handle).success) throw new Failure('handle_malformed');
      if (handle !== null && handle !== identity?.handle) {
        try {
          // Stored at once: the name may fail after it.
          context.identity.saveProfile(await account.relay.claimHandle(handle));
          context.own.set(HANDLE, handle);
          context.own.profileChanged();
          context.own.emitChanges();
        } catch (error) {
          if (error instanceof RelayRefusal && error.code === 'handle_taken') {
            throw new Failure(error.parameters.reason === 'reserved' ? 'handle_reserved' : 'handle_in_use', {
              handle,
            });
          }
          throw error;
        }
      }
      const text = about === undefined ? undefined : toAbout(about);
      const saved = await account.relay.saveProfile(toName(displayName) || null);
      context.identity.saveProfile(saved);
      context.own.set('setting/name', saved.displayName);
      if (text !== undefined) context.own.set(ABOUT, text);
      parts.online?.faces.wake();
      context.own.profileChanged();
      context.own.emitChanges();
      return ownView(parts);
    },

    'connection.get': () =>
      parts.online?.connection.get() ?? {
        state: 'connecting',
        problem: null,
        isKeyOverdue: false,
        nextRetryAt: null,
        queued: 0,
      },
    'connection.retry': () => {
      parts.online?.wake();
      return {};
    },
  };
}

/**
 * A text about the person in its form for sending; null if nothing visible is left.
 * @throws Failure 'about_long'
 */
function toAbout(typed: string): string | null {
  const text = onOneLine(typed);
  if (text !== '' && !About.safeParse(text).success)
    throw new Failure('about_long', { most: MAX_ABOUT_BYTES });
  return text || null;
}

function codeIn(typed: string | undefined): string | null {
  return typed?.trim() || null;
}

/**
 * Explains a refused first login. At a relay with an allow list, the person sees the address that the
 * administrator has to add.
 */
function admitted<T>(address: string, first: Promise<T>): Promise<T> {
  return first.catch((error: unknown) => {
    if (!failedWith(error, 'registration_closed')) throw error;
    throw new Failure('address_not_listed', { address: toChecksumAddress(address) });
  });
}

/** Three different places, 1-based and ascending. */
function threePlaces(most: number): number[] {
  const places = new Set<number>();
  while (places.size < 3) places.add(1 + ((randomBytes(1)[0] ?? 0) % most));
  return [...places].sort((a, b) => a - b);
}
