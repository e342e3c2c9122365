/** Messages of a program that other devices have requested again, for a day. In memory only, as their texts. */
import type { GapRequest, GapRequestMemory } from '../../../messaging/gaps/memory.ts';

interface Kept {
  request: GapRequest;
  isAnswered: boolean;
  isResealed: boolean;
}

export class ProgramGapRequests implements GapRequestMemory {
  readonly #requests = new Map<string, Kept>();

  add(request: GapRequest): void {
    const key = keyOf(request);
    if (!this.#requests.has(key)) this.#requests.set(key, { request, isAnswered: false, isResealed: false });
  }

  count(): number {
    return this.#requests.size;
  }

  countOf(address: string): number {
    return this.#count(({ request }) => request.address === address);
  }

  due(now: number, most: number): GapRequest[] {
    return [...this.#requests.values()]
      .filter(({ request, isAnswered }) => !isAnswered && request.dueAt <= now)
      .map(({ request }) => request)
      .sort((one, other) => one.dueAt - other.dueAt || one.seq - other.seq)
      .slice(0, most);
  }

  resealed(deviceId: string): number {
    return this.#count(({ request, isResealed }) => isResealed && request.deviceId === deviceId);
  }

  answered(request: GapRequest, isResealed: boolean): void {
    this.#requests.set(keyOf(request), { request, isAnswered: true, isResealed });
  }

  postpone(request: GapRequest, dueAt: number): void {
    this.#requests.set(keyOf(request), {
      request: { ...request, dueAt },
      isAnswered: false,
      isResealed: false,
    });
  }

  forgetBefore(time: number): void {
    for (const [key, { request }] of this.#requests)
      if (request.requestedAt < time) this.#requests.delete(key);
  }

  #count(isCounted: (kept: Kept) => boolean): number {
    let count = 0;
    for (const kept of this.#requests.values()) if (isCounted(kept)) count++;
    return count;
  }
}

function keyOf({ conversation, deviceId, seq }: GapRequest): string {
  return `${conversation} ${deviceId} ${seq}`;
}
