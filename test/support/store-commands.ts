/** Random commands of a relay's store, and its answers without its internal keys, which may differ. */
import fc from 'fast-check';
import { USAGE_MEASURES } from '../../src/relay/store/operator-records.ts';
import { TooManyChanges } from '../../src/relay/store/records.ts';
import type { Store } from '../../src/relay/store/store.ts';
import { ROOMY_QUOTAS } from './rates.ts';
import { bytesFor, envelopeId, NOW, StoreMember } from './relay-store.ts';

const HOUR = 3_600_000;
const BLOBS = { blobBytes: 9_000, accountBlobBytes: 150_000, storedBlobBytes: 1e9 };

const PEOPLE = ['ann', 'ben', 'cat'] as const;
const DEVICES = ['phone', 'tablet'] as const;
const who = fc.constantFrom(...PEOPLE);
const device = fc.constantFrom(...DEVICES);
const session = fc.constantFrom('first', 'second', 'third');
const sequence = fc.integer({ min: 1, max: 4 });
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const isSo = fc.boolean();
const policy = fc.constantFrom('open' as const, 'open' as const, 'code' as const, 'list' as const);

/** The random values of each command. */
const DRAWN = {
  wait: fc.record({ hours: fc.constantFrom(1, 2, 24, 24 * 8, 24 * 31) }),
  join: fc.record({ who, session, policy, code: fc.option(name), reopens: isSo }),
  renew: fc.record({ who, device, session, at: fc.integer({ min: 0, max: 3 }) }),
  leave: fc.record({ who, session }),
  credential: fc.record({ who, of: fc.constantFrom('first', 'second', 'third', 'a', 'b') }),
  publish: fc.record({
    who,
    devices: fc.constantFrom(['phone'], ['tablet'], ['phone', 'tablet']),
    isNext: fc.constantFrom(true, true, true, false),
    sequence,
  }),
  sealKey: fc.record({ who, device, sequence, ofOther: fc.constantFrom(false, false, false, true) }),
  claim: fc.record({ who, handle: fc.constantFrom('one', 'two', 'one_two'), isPublic: isSo }),
  displayName: fc.record({ who, text: fc.option(fc.constantFrom('Ann', 'Ünï ☂', "'); --")) }),
  developer: fc.record({ who, enabled: isSo }),
  makeKey: fc.record({ who, name: fc.constantFrom('a', 'b'), session }),
  revokeKey: fc.record({ who, name: fc.constantFrom('a', 'b') }),
  listKeys: fc.record({ who, limit: fc.integer({ min: 1, max: 3 }) }),
  invite: fc.record({ maker: fc.option(who), code: name, uses: fc.integer({ min: 1, max: 2 }) }),
  uninvite: fc.record({ maker: fc.option(who), code: name }),
  admit: fc.record({ who, admitted: isSo }),
  suspend: fc.record({ who, suspended: isSo }),
  verify: fc.record({ handle: fc.constantFrom('one', 'two'), verified: isSo }),
  end: fc.record({ who, atOnce: isSo }),
  keep: fc.record({ who }),
  endDue: fc.record({}),
  send: fc.record({
    from: who,
    to: who,
    names,
    key: fc.option(fc.record({ device, sequence: fc.constantFrom(1, 1, 1, 2, 4) }), { freq: 2 }),
    via: fc.constantFrom('session' as const, 'api_key' as const),
    network: fc.option(fc.constantFrom('home', 'work')),
    most: fc.constantFrom(2, 4, 100),
  }),
  inbox: fc.record({
    who,
    device,
    limit: fc.integer({ min: 1, max: 4 }),
    bytes: fc.constantFrom(1, 100, 1e9),
  }),
  acknowledge: fc.record({ who, device, names, sender: who }),
  expire: fc.record({ mail: fc.constantFrom(1, 48), audit: fc.constantFrom(1, 24 * 30) }),
  challenge: fc.record({ name, network: fc.option(fc.constantFrom('home', 'work')) }),
  consumeChallenge: fc.record({ name }),
  link: fc.record({ name, text: fc.constantFrom('Laptop', 'Phone') }),
  offer: fc.record({ name, who }),
  blob: fc.record({ who, name, size: fc.constantFrom(0, 5_000, 8_999, 9_001) }),
  part: fc.record({ who, name, digest: fc.constantFrom('x', 'x', 'y') }),
  finish: fc.record({ who, name }),
  adopt: fc.record({ who, name }),
  drop: fc.record({ who, name }),
  expireBlobs: fc.record({}),
  dropBytes: fc.record({}),
  search: fc.record({ who, text: fc.constantFrom('one', 'ne_t', 'two', 'o', 'x') }),
  report: fc.record({ who, about: who, reason: fc.constantFrom('spam' as const, 'other' as const) }),
  settle: fc.record({ who, about: who, reason: fc.constantFrom('spam' as const, 'other' as const) }),
  usage: fc.record({ by: fc.constantFrom(...USAGE_MEASURES) }),
  look: fc.record({ who }),
} as const;

type Drawn = typeof DRAWN;
type Name = keyof Drawn;
type Given<N extends Name> = Drawn[N] extends fc.Arbitrary<infer T> ? T : never;

/** A command with its arguments. */
export type Command = { [N in Name]: { name: N; given: Given<N> } }[Name];

/** Frequent commands, and rare ones that delete much. */
const OFTEN = new Set<string>(['send', 'publish', 'inbox', 'acknowledge', 'look']);
const SELDOM = new Set<string>(['end', 'suspend', 'wait']);

export const commands = fc.array(
  fc.oneof(
    ...Object.entries<fc.Arbitrary<unknown>>(DRAWN).map(([name, drawn]) => ({
      arbitrary: drawn.map((given) => ({ name, given }) as Command),
      weight: OFTEN.has(name) ? 12 : SELDOM.has(name) ? 1 : 3,
    })),
  ),
  { minLength: 20, maxLength: 70, size: 'max' },
);

/** Commands that may create the queue of a device. */
const MAKES_QUEUES = new Set<Name>(['publish', 'sealKey']);

/** A store that is given commands. */
export class StoreSide {
  readonly #store: Store;
  readonly #run: string;
  readonly #people = new Map<string, StoreMember>();
  readonly #lists = new Map<string, number>();
  /** Names of the store's keys of queues. */
  readonly #queues = new Map<number, string>();
  #now = NOW;

  /** @param run distinguishes its people from those of other runs on the same store */
  constructor(store: Store, run: number) {
    this.#store = store;
    this.#run = `run ${run}`;
  }

  /** Creates an account and a phone for each person. */
  async begin(): Promise<void> {
    for (const who of PEOPLE) {
      const login = { who, session: 'first', policy: 'open', code: null, reopens: false } as const;
      await this.answer({ name: 'join', given: login });
      await this.answer({ name: 'publish', given: { who, devices: ['phone'], isNext: true, sequence: 1 } });
    }
  }

  /** Gives a command. @returns the answer without keys, `failed` where it throws */
  async answer(command: Command): Promise<unknown> {
    try {
      const act = this.#acts[command.name] as (given: unknown) => Promise<unknown>;
      const answer = await act(command.given);
      if (MAKES_QUEUES.has(command.name)) await this.#learnQueues();
      return this.#plain(answer);
    } catch (error) {
      return error instanceof TooManyChanges ? { wait: error.wait } : 'failed';
    }
  }

  /** All data that the people of this run can read. */
  async all(): Promise<unknown> {
    const looks = [];
    for (const who of PEOPLE) {
      looks.push(await this.answer({ name: 'look', given: { who } }));
      for (const device of DEVICES) {
        looks.push(await this.answer({ name: 'inbox', given: { who, device, limit: 500, bytes: 1e9 } }));
      }
    }
    // After one difference all hashes differ, and reveal nothing about smaller ones.
    const audit = (await this.#store.readAudit(100)).map(({ hash: _, ...row }) => row);
    return this.#plain([looks, audit, await this.#store.readStats(), await this.#store.storedBlobBytes()]);
  }

  #person(who: string): StoreMember {
    const known = this.#people.get(who) ?? new StoreMember(this.#store, `${this.#run} ${who}`);
    this.#people.set(who, known);
    return known;
  }

  #handle(handle: string): string {
    return `${this.#run.replace(' ', '')}_${handle}`;
  }

  #id(name: string, length: number): Buffer {
    return bytesFor(`${this.#run} ${name}`, length);
  }

  #code(maker: string | null, code: string) {
    return { id: `${this.#run} ${maker} ${code}`, digest: this.#id(`code ${code}`, 32) };
  }

  /** A command for a future account uses one that never exists. */
  #account(who: string): number {
    return this.#person(who).account;
  }

  async #queue(who: string, device: string): Promise<number> {
    const person = this.#person(who);
    return (await this.#store.findQueue(person.account, person.device(device))) ?? -1;
  }

  async #learnQueues(): Promise<void> {
    for (const [who, { account }] of this.#people) {
      if (account === -1) continue;
      for (const device of DEVICES) {
        const queue = await this.#queue(who, device);
        if (queue !== -1 && !this.#queues.has(queue)) {
          this.#queues.set(queue, `queue ${this.#queues.size} of ${who} ${device}`);
        }
      }
    }
  }

  /** An answer with names of queues in place of keys, and texts in place of bytes. */
  #plain(value: unknown, name = ''): unknown {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (Array.isArray(value)) {
      const plain = value.map((each) =>
        name === 'queues' ? this.#queues.get(Number(each)) : this.#plain(each),
      );
      return ['queues', 'credentials', 'ended'].includes(name) ? plain.toSorted() : plain;
    }
    if (typeof value !== 'object' || value === null) {
      if (name === 'next') return value !== null;
      return ['key', 'account', 'by'].includes(name) ? 'a key' : value;
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#plain(each, key)]));
  }

  async #blob(name: string, who: string) {
    return this.#store.findBlob(this.#id(name, 16).toString('base64url'), this.#account(who));
  }

  readonly #acts: { [N in Name]: (given: Given<N>) => Promise<unknown> } = {
    wait: async ({ hours }) => {
      this.#now += hours * HOUR;
    },
    join: async ({ who, session, policy, code, reopens }) => {
      const person = this.#person(who);
      const invitation = code === null ? null : this.#code(null, code).digest;
      const times = { createdAt: this.#now, expiresAt: this.#now + 24 * HOUR * 20 };
      const admission = { policy, invitation };
      const outcome = await this.#store.createSession(
        person.session(session, { admission, reopens, ...times }),
        2,
      );
      const found = await this.#store.findCredential(person.digest(session), this.#now);
      if (found) person.account = found.account;
      return outcome;
    },
    renew: async ({ who, device, session, at }) => {
      const person = this.#person(who);
      const renewal = { deviceId: person.device(device), issuedAt: NOW + at };
      const times = { createdAt: this.#now, expiresAt: this.#now + 24 * HOUR };
      return this.#store.createSession(person.session(`${session} by ${device}`, { renewal, ...times }), 2);
    },
    leave: ({ who, session }) => this.#store.deleteSession(this.#person(who).id(session)),
    credential: async ({ who, of }) => {
      const person = this.#person(who);
      await this.#store.touchCredential(person.id(of), this.#now);
      return this.#store.findCredential(person.digest(of), this.#now);
    },
    publish: async ({ who, devices, isNext, sequence }) => {
      const person = this.#person(who);
      const after = (this.#lists.get(who) ?? 0) + (isNext ? 0 : 1);
      const outcome = await this.#store.publishDevices({
        account: person.account,
        session: person.id('first'),
        deviceList: person.list(devices, after + 1, this.#now),
        after,
        sealKeys: devices.map((device) => ({
          sealKey: person.statement(device, sequence, this.#now),
          pqKey: null,
        })),
        now: this.#now,
      });
      if (outcome.status === 'published') this.#lists.set(who, after + 1);
      return outcome;
    },
    sealKey: ({ who, device, sequence, ofOther }) => {
      const person = this.#person(who);
      const own = person.statement(device, sequence, this.#now);
      const key = ofOther ? this.#person('ben').sealKey('phone') : own.key;
      return this.#store.publishSealKey(person.account, { sealKey: { ...own, key }, pqKey: null }, this.#now);
    },
    claim: ({ who, handle, isPublic }) =>
      this.#store.claimHandle(this.#account(who), this.#handle(handle), isPublic, this.#now),
    displayName: ({ who, text }) => this.#store.setDisplayName(this.#account(who), text),
    developer: async ({ who, enabled }) =>
      (await this.#store.setDeveloperAccess(this.#account(who), enabled, this.#now)).toSorted(),
    makeKey: ({ who, name, session }) => {
      const person = this.#person(who);
      const key = { name, prefix: 'sk_live_x', entitlements: ['envelopes:send' as const], expiresAt: null };
      const ids = { id: person.id(name), digest: person.digest(name), session: person.id(session) };
      return this.#store.createApiKey(
        { ...key, ...ids, account: person.account, createdAt: this.#now },
        ROOMY_QUOTAS.apiKeys,
      );
    },
    revokeKey: ({ who, name }) =>
      this.#store.revokeApiKey(this.#account(who), this.#person(who).id(name), this.#now),
    listKeys: ({ who, limit }) => this.#store.listApiKeys(this.#account(who), { limit, after: null }),
    invite: ({ maker, code, uses }) =>
      this.#store.createAccountInvitation(
        {
          ...this.#code(maker, code),
          maker: maker === null ? null : this.#account(maker),
          uses,
          createdAt: this.#now,
          expiresAt: this.#now + 24 * HOUR * 3,
        },
        3,
      ),
    uninvite: ({ maker, code }) => this.#store.revokeAccountInvitation(this.#code(maker, code).id, this.#now),
    admit: ({ who, admitted }) => this.#store.setAdmitted(this.#person(who).address, admitted, this.#now),
    suspend: ({ who, suspended }) =>
      this.#store.setSuspended({ address: this.#person(who).address }, suspended, this.#now),
    verify: ({ handle, verified }) =>
      this.#store.setHandleVerified(this.#handle(handle), verified, this.#now),
    end: ({ who, atOnce }) =>
      this.#store.deleteAccount(this.#account(who), atOnce ? null : this.#now + 24 * HOUR * 7, this.#now),
    keep: ({ who }) => this.#store.cancelDeletion(this.#account(who), this.#now),
    endDue: () => this.#store.deleteDueAccount(this.#now),
    send: ({ from, to, names, key, via, network, most }) =>
      this.#person(from).send(
        this.#person(to),
        names.map((name) => `${from} ${name}`),
        {
          recipientDeviceKey: key && this.#person(to).sealKey(key.device, key.sequence),
          via,
          network: network === null ? null : bytesFor(network, 16).toString('base64url'),
          limits: { queueEnvelopes: most, queueBytes: 1e6, shares: { sender: 0.5, network: 0.75 } },
          now: this.#now,
        },
      ),
    inbox: async ({ who, device, limit, bytes }) =>
      this.#store.readInbox(await this.#queue(who, device), limit, bytes),
    acknowledge: async ({ who, device, names, sender }) => {
      const queue = await this.#queue(who, device);
      const ids = names.map((name) => envelopeId(this.#person(who), `${sender} ${name}`));
      return [await this.#store.acknowledge(queue, ids), await this.#store.queuedBytes(queue)];
    },
    expire: ({ mail, audit }) =>
      this.#store.expire(this.#now, this.#now - mail * HOUR, this.#now - audit * HOUR),
    challenge: ({ name, network }) =>
      this.#store.saveChallenge(
        {
          nonce: `${this.#run} ${name} ${this.#now}`,
          address: this.#person('ann').address,
          issuedAt: this.#now,
          expiresAt: this.#now + HOUR,
        },
        network && bytesFor(network, 16).toString('base64url'),
        2,
      ),
    consumeChallenge: ({ name }) => this.#store.consumeChallenge(`${this.#run} ${name} ${this.#now}`),
    link: ({ name, text }) =>
      this.#store.saveLink(
        {
          id: this.#id(`link ${name}`, 16).toString('base64url'),
          key: this.#id(name, 32).toString('base64url'),
          name: text,
          expiresAt: this.#now + HOUR,
        },
        this.#now,
      ),
    offer: async ({ name, who }) => {
      const id = this.#id(`link ${name}`, 16).toString('base64url');
      const offer = { address: this.#person(who).address, list: { sequence: 1, hash: 'x' } };
      return [await this.#store.saveOffer(id, offer, this.#now), await this.#store.findLink(id, this.#now)];
    },
    blob: ({ who, name, size }) =>
      this.#store.beginBlob({
        id: this.#id(name, 16).toString('base64url'),
        account: this.#account(who),
        size,
        object: this.#id(`object ${name} ${who} ${this.#now}`, 16).toString('hex'),
        now: this.#now,
        limits: BLOBS,
      }),
    part: async ({ who, name, digest }) => {
      const key = (await this.#blob(name, who))?.key ?? -1;
      const part = { part: 0, digest: bytesFor(digest, 32), tag: digest };
      const upload = await this.#store.nameUpload(key, `upload of ${who}`);
      return [upload, await this.#store.recordPart(key, this.#account(who), part, this.#now)];
    },
    finish: async ({ who, name }) => {
      const key = (await this.#blob(name, who))?.key ?? -1;
      return this.#store.finishBlob(key, this.#account(who), this.#now);
    },
    adopt: ({ who, name }) =>
      this.#store.adoptBlob(this.#id(name, 16).toString('base64url'), this.#account(who), this.#now, BLOBS),
    drop: ({ who, name }) =>
      this.#store.dropClaim(this.#id(name, 16).toString('base64url'), this.#account(who), this.#now),
    expireBlobs: () => this.#store.expireClaims(this.#now),
    dropBytes: async () => {
      const found = await this.#store.findBytesToDrop(this.#now, 0, 5);
      for (const { key } of found) await this.#store.forgetBytes(key);
      return found;
    },
    search: ({ who, text }) =>
      this.#store.searchHandles({
        by: this.#account(who),
        text: text === 'x' ? this.#handle('') : text,
        name: text || null,
        verified: null,
        limit: 50,
        after: null,
      }),
    report: ({ who, about, reason }) =>
      this.#store.saveReport({
        id: `${this.#run} ${who} ${about} ${reason}`,
        reporter: this.#account(who),
        about: { account: this.#person(about).address },
        reason,
        text: reason === 'other' ? 'Look at this' : null,
        now: this.#now,
      }),
    settle: async ({ who, about, reason }) => [
      await this.#store.listReports(50),
      await this.#store.resolveReport(`${this.#run} ${who} ${about} ${reason}`, this.#now),
    ],
    usage: ({ by }) => this.#store.listUsage(by, 20),
    look: async ({ who }) => {
      const { address, account } = this.#person(who);
      return [
        await this.#store.readProfile(account),
        await this.#store.hasAccount(address),
        await this.#store.findHandleOf(address),
        await this.#store.readDevices(address),
        await this.#store.readLists({ address, after: 0, upTo: 9 }, 3),
        await this.#store.listHandles(this.#handle(''), 50),
        await this.#store.findFilledQueues([await this.#queue(who, 'phone')]).then((found) => found.length),
      ];
    },
  };
}
