/**
 * What is remembered of gaps, and of who asked for what. App and library store it, each in its own way. Every change must be
 * durable when the call returns, as far as that memory is. All times are milliseconds since 1970.
 */
import type { MessageBody } from '../sending/outgoing.ts';
import type { DeviceGaps } from './device-gaps.ts';

/** A device of someone in a conversation: with its owner, or in a group. Other devices of the user's write in all. */
export interface DeviceIn {
  /** The address of the user's partner, or the group's id. */
  conversation: string;
  /** Wire address of the owner. */
  address: string;
  deviceId: string;
}

/** A device whose messages are followed. */
export interface FollowedDevice extends DeviceIn {
  /** Epoch with which the own address came into the group: who left and came back misses nothing. 0 of a direct chat. */
  since: number;
  /** Whether its owner was not accepted when it was heard last: of such devices only a few are remembered. */
  isStranger: boolean;
  gaps: DeviceGaps;
}

/** Devices that are followed in all, and in one conversation. Who was heard longest ago is forgotten, and begins again. */
export const MOST_FOLLOWED = 10_000;
export const MOST_FOLLOWED_IN_ONE = 1_000;
/** Of people who are not accepted: once they are, what came before counts. */
export const MOST_STRANGERS = 400;

export interface GapMemory {
  find(conversation: string, deviceId: string): FollowedDevice | null;
  /** Keeps one, as that which was heard last. */
  save(device: FollowedDevice): void;
  forget(conversation: string, deviceId: string): void;
  forgetAll(): void;
  /** Some of those of which something is missing: at most so many, and not those that were given last time. */
  incomplete(most: number): FollowedDevice[];
  /** Whether the person is told of something that is missing of someone in a conversation. */
  isTold(conversation: string, address: string): boolean;
}

/** A number of an own device that someone says is missing. */
export interface Ask extends DeviceIn {
  seq: number;
  askedAt: number;
  /** When it is answered. */
  dueAt: number;
}

export interface AskMemory {
  /** Keeps an ask. One of the same device for the same number stays as it is. */
  add(ask: Ask): void;
  count(): number;
  countOf(address: string): number;
  /** Those that are due and not answered, at most so many. */
  due(now: number, most: number): Ask[];
  /** How many messages were sealed again for a device. */
  resealed(deviceId: string): number;
  /** It was answered. @param isResealed whether the message was sealed again */
  answered(ask: Ask, isResealed: boolean): void;
  postpone(ask: Ask, dueAt: number): void;
  /** Forgets what was asked before a time, answered or not. */
  forgetBefore(time: number): void;
}

/** A counted message of this device. */
export interface OwnMessage {
  body: MessageBody;
  /** False while it waits to be sent. */
  isSent: boolean;
}
