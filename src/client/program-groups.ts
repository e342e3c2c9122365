/**
 * Groups for a program: those of src/messaging/groups over its journal, and the changes by an identity.
 *
 * The public methods are in ./relay-client.ts and call these. Following chains belongs in src/messaging/groups.
 */
import { Failure, sentenceOf } from '../base/failure.ts';
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import { GroupDirectory } from '../messaging/groups/directory.ts';
import type { GroupHellos } from '../messaging/groups/hellos.ts';
import { joinSetting, type NewGroup } from '../messaging/groups/join.ts';
import type { GroupMessenger, KnownGroup } from '../messaging/groups/parts.ts';
import { type GroupSource, isTransient } from '../messaging/relay.ts';
import { GROUP_FRESH_FOR } from '../messaging/sending/group.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import type { PrivateKey } from '../protocol/crypto.ts';
import { encodeBase64Url } from '../protocol/encoding.ts';
import type { RosterSigner } from '../protocol/roster/making.ts';
import type { RelayApi } from './api.ts';
import { IdentityError } from './errors.ts';
import { createGroupHellos } from './group-hellos.ts';
import type { Identity } from './identity/identity.ts';
import type { Journal } from './identity/journal/journal.ts';
import type { ProgramParts } from './sending.ts';
import type { Group, GroupChange } from './shapes.ts';

export interface ProgramGroupsParts {
  /** Calls with the program's credential. */
  api: RelayApi;
  /** True if that is a group token. */
  isToken: boolean;
  identity: Identity | null;
  /** Calls with a session of the identity. */
  sessionOf(identity: Identity): RelayApi;
  /** The key of the bot that posts with the group token. */
  bot: PrivateKey | null;
  journal: Journal;
  directory: KeyDirectory;
  /** The sender's address according to the relay; null before it is known. */
  own(): string | null;
  /**
   * The address of a person, by handle or address.
   * @throws RelayRefusal, Failure
   */
  addressOf(person: string): Promise<string>;
}

export class ProgramGroups {
  readonly directory: GroupDirectory<RememberedGroup>;
  readonly #parts: ProgramGroupsParts;
  /** Source of group views: the API key until there is a session. */
  #source: GroupSource;
  #hellos: GroupHellos<RememberedGroup> | null = null;
  /** Number of the own list that the groups' chains name. */
  #confirmedList = 0;
  #isClosed = false;

  constructor(parts: ProgramGroupsParts) {
    this.#parts = parts;
    this.#source = parts.api;
    this.directory = new GroupDirectory({
      source: {
        group: (id) => this.#source.group(id),
        foundGroup: (request) => this.#source.foundGroup(request),
        admit: (id, proof) => this.#source.admit(id, proof),
        roster: (id, after) => this.#source.roster(id, after),
        appendEntry: (id, entry, password) => this.#source.appendEntry(id, entry, password),
        keyHistories: (wants) => this.#source.keyHistories(wants),
      },
      keys: parts.directory,
      memory: parts.journal.chains,
      own: parts.own,
      signer: () => this.#signer(),
      renewSigner: () => this.#renewSigner(),
      now: () => Date.now(),
      provesEarly: false,
      talk: () => this.#talk(),
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#hellos?.close();
  }

  /**
   * Calls with a session of the identity, which then also fetches group views.
   * @param what the action that needs it, for the failure
   * @throws IdentityError without an identity
   */
  account(what: string): RelayApi {
    const { identity, sessionOf } = this.#parts;
    if (!identity) throw new IdentityError('identity_needed', { what });
    const account = sessionOf(identity);
    this.#source = account;
    return account;
  }

  /** Groups for sending: fetched each time. */
  get now(): ProgramParts['groups'] {
    const { directory } = this;
    return {
      now: async (id) => {
        const group = await directory.now(id, 0);
        this.#requireShown(id);
        return group;
      },
      expire: (id) => directory.expire(id),
    };
  }

  /** @throws Failure 'bot_not_in_group' or 'bot_key_missing' if members would not show its posts */
  #requireShown(groupId: string): void {
    const { bot, identity, isToken, journal } = this.#parts;
    const { bots = [], unsignedBots } = journal.chains.find(groupId)?.state ?? {};
    if (bot) {
      const key = encodeBase64Url(bot.publicKey);
      if (!bots.some((each) => each.key === key)) throw new Failure('bot_not_in_group');
    } else if (isToken && !identity && !unsignedBots) {
      throw new Failure('bot_key_missing');
    }
  }

  /**
   * Applies a {@link GroupChange}.
   * @throws as `RelayClient.changeGroup`
   */
  async change(groupId: string, change: GroupChange): Promise<Group> {
    const { password, open, addAdmins = [], removeAdmins = [], creator, ...fields } = change;
    const isJoin = password !== undefined || open !== undefined;
    const join = isJoin ? await joinSetting(groupId, joinOf({ password, open })) : null;
    const [added, removed] = await Promise.all([this.addressesOf(addAdmins), this.addressesOf(removeAdmins)]);
    const successor = creator === undefined ? undefined : await this.#parts.addressOf(creator);
    const known = await this.directory.change(
      groupId,
      ({ admins }) => ({
        kind: 'change',
        ...fields,
        ...join?.fields,
        ...(added.length + removed.length > 0 && {
          admins: [...new Set([...admins, ...added])].filter((address) => !removed.includes(address)),
        }),
        ...(successor !== undefined && { creator: successor }),
      }),
      join?.passwordProof,
    );
    return this.shown(known);
  }

  addressesOf(people: readonly string[]): Promise<string[]> {
    return Promise.all(people.map((person) => this.#parts.addressOf(person)));
  }

  /**
   * The lifetime of a group's messages in seconds; 0 for never, or if it is unavailable, as posting there then is.
   * @throws RelayUnreachable, RelayRefusal if the failure may be temporary
   */
  async timerOf(groupId: string): Promise<number> {
    try {
      return (await this.directory.seen(groupId, GROUP_FRESH_FOR)).group.state.timer;
    } catch (error) {
      if (isTransient(error)) throw error;
      return this.#parts.journal.chains.find(groupId)?.state.timer ?? 0;
    }
  }

  /**
   * The public view of a group.
   * @throws UnverifiableError while the relay's view differs from its chain
   */
  shown({ group, view }: KnownGroup<RememberedGroup>): Group {
    const problem = this.directory.problem(group);
    if (!view) throw problem ?? new Error('a group that was just asked for has no view');
    const { admins, bots, unsignedBots, timer } = group.state;
    const ofChain = { admins: [...admins], bots: [...bots], unsignedBots, timer };
    return { ...view, ...ofChain, problem: problem && sentenceOf(problem.data) };
  }

  /** Makes the chains of the identity's groups name its newest list. Failures are retried with the next call. */
  confirmDevices({ sequence }: { sequence: number }): void {
    if (sequence === this.#confirmedList) return;
    this.#confirmedList = sequence;
    this.account('Changing a group');
    void this.directory.confirmDevices(this.#parts.journal.chains.all()).catch(() => {
      this.#confirmedList = 0;
    });
  }

  /** @throws IdentityError without a registered identity */
  #signer(): RosterSigner {
    const { identity } = this.#parts;
    if (!identity) throw new IdentityError('identity_needed', { what: 'Changing a group' });
    const list = identity.deviceList?.sequence;
    if (list === undefined) throw new IdentityError('identity_unregistered');
    return { address: identity.address, deviceKey: identity.deviceKey, list };
  }

  /**
   * Checks whether another device has changed the identity's list.
   * @throws errors of registration
   */
  async #renewSigner(): Promise<void> {
    const { identity, sessionOf } = this.#parts;
    if (!identity) return;
    const registration = identity.registration(sessionOf(identity));
    registration.recheck();
    await registration.ensure();
  }

  /** Null without a registered identity: announcements cannot be signed. */
  #talk(): GroupMessenger<RememberedGroup> | null {
    const { directory: keys, identity, sessionOf } = this.#parts;
    if (!identity?.deviceList || this.#isClosed) return null;
    const groups = this.directory;
    this.#hellos ??= createGroupHellos(identity, keys, sessionOf(identity), {
      nowThoughSplit: (id) => groups.nowThoughSplit(id, 0),
      expire: (id) => groups.expire(id),
    });
    return this.#hellos;
  }
}

/** The setting for joining. */
export function joinOf({
  password,
  open,
}: {
  password?: string | undefined;
  open?: boolean | undefined;
}): NewGroup['join'] {
  if (password !== undefined) return { mode: 'password', password };
  return open ? { mode: 'open' } : { mode: 'invite' };
}
