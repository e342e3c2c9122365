import { botKey } from './bots.ts';
import { type Posted, postAsBot, postToGroup } from './group-posting.ts';
import { Memory } from './memory.ts';
import { introspect } from './own-account.ts';
import { must } from './refusal.ts';
import type { Relay } from './relay.ts';
import { bodyBy, deliver, payloadBy, type Sent, type Statement, type Voice } from './sending.ts';

/** Programs without a device: with an API key, or with a group token and a bot's key (section 2). */

/** A program that acts for an address with an API key: its messages are unsigned. */
export class KeyProgram {
  readonly relay: Relay;
  readonly memory = new Memory();
  readonly voice: Voice;
  readonly now: () => number;

  private constructor(relay: Relay, address: string, hasMlKem: boolean, now: () => number) {
    this.relay = relay;
    this.voice = { address, device: null, bot: null, automated: true, hasMlKem };
    this.now = now;
  }

  static async open(relay: Relay, hasMlKem = true, now: () => number = Date.now): Promise<KeyProgram> {
    const { address } = await introspect(relay, null);
    return new KeyProgram(relay, address, hasMlKem, now);
  }

  async send(to: string, statement: Statement, options: { asRequest?: boolean } = {}): Promise<Sent> {
    const body = bodyBy(this.voice, statement, { peer: to }, 0, this.now());
    const payload = payloadBy(this.voice, 'direct', body);
    const sent = await deliver(this.relay, this.memory, this.voice, to, payload, {
      ...options,
      now: this.now,
    });
    return { body, payload, ...sent };
  }

  post(id: string, statement: Statement): Promise<Posted> {
    return postToGroup(this.relay, this.memory, this.voice, id, statement, this.now);
  }
}

/** A bot in one group. Without a key its posts are unsigned. */
export class BotProgram {
  readonly relay: Relay;
  readonly memory = new Memory();
  readonly groupId: string;
  readonly voice: Voice;
  readonly now: () => number;

  private constructor(relay: Relay, groupId: string, voice: Voice, now: () => number) {
    this.relay = relay;
    this.groupId = groupId;
    this.voice = voice;
    this.now = now;
  }

  static async open(relay: Relay, secret: string | null, now: () => number = Date.now): Promise<BotProgram> {
    const { address, groupId } = await introspect(relay, null);
    must(groupId !== null, 'no_group', 'the credential is no group token');
    const bot = secret === null ? null : botKey(secret);
    const voice: Voice = { address, device: null, bot, automated: true, hasMlKem: true };
    return new BotProgram(relay, groupId, voice, now);
  }

  post(statement: Statement): Promise<Posted> {
    return postAsBot(this.relay, this.memory, this.voice, this.groupId, statement, this.now);
  }
}
