/** Messages of a program that other devices have requested again, for a day. In memory only, as their texts. */
import type { Ask, AskMemory } from '../../../messaging/gaps/memory.ts';

interface Kept {
  ask: Ask;
  isAnswered: boolean;
  isResealed: boolean;
}

export class ProgramAsks implements AskMemory {
  readonly #asks = new Map<string, Kept>();

  add(ask: Ask): void {
    const key = keyOf(ask);
    if (!this.#asks.has(key)) this.#asks.set(key, { ask, isAnswered: false, isResealed: false });
  }

  count(): number {
    return this.#asks.size;
  }

  countOf(address: string): number {
    return this.#count(({ ask }) => ask.address === address);
  }

  due(now: number, most: number): Ask[] {
    return [...this.#asks.values()]
      .filter(({ ask, isAnswered }) => !isAnswered && ask.dueAt <= now)
      .map(({ ask }) => ask)
      .sort((one, other) => one.dueAt - other.dueAt || one.seq - other.seq)
      .slice(0, most);
  }

  resealed(deviceId: string): number {
    return this.#count(({ ask, isResealed }) => isResealed && ask.deviceId === deviceId);
  }

  answered(ask: Ask, isResealed: boolean): void {
    this.#asks.set(keyOf(ask), { ask, isAnswered: true, isResealed });
  }

  postpone(ask: Ask, dueAt: number): void {
    this.#asks.set(keyOf(ask), { ask: { ...ask, dueAt }, isAnswered: false, isResealed: false });
  }

  forgetBefore(time: number): void {
    for (const [key, { ask }] of this.#asks) if (ask.requestedAt < time) this.#asks.delete(key);
  }

  #count(isCounted: (kept: Kept) => boolean): number {
    let count = 0;
    for (const kept of this.#asks.values()) if (isCounted(kept)) count++;
    return count;
  }
}

function keyOf({ conversation, deviceId, seq }: Ask): string {
  return `${conversation} ${deviceId} ${seq}`;
}
