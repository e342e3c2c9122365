/**
 * Storage of gaps and requests, implemented by app and library. Every change must be durable when the call
 * returns, as far as that storage is. All times are milliseconds since 1970.
 */
import type { MessageBody } from '../sending/outgoing.ts';
import type { DeviceGaps } from './device-gaps.ts';

/**
 * A device of someone in a conversation: with its owner, or in a group. Other devices of the user write in
 * all.
 */
export interface DeviceIn {
  /** The address of the user's partner, or the group's id. */
  conversation: string;
  /** Wire address of the owner. */
  address: string;
  deviceId: string;
}

/** A device whose numbers are tracked. */
export interface FollowedDevice extends DeviceIn {
  /**
   * Epoch at which the own address joined the group: earlier messages are not missing. 0 for a direct chat.
   */
  since: number;
  /** True if its owner was unaccepted when it was last heard. Only a few of such devices are remembered. */
  isStranger: boolean;
  gaps: DeviceGaps;
}

/** Limit of tracked devices in total, and in one conversation. The device heard longest ago is forgotten. */
export const MAX_FOLLOWED = 10_000;
export const MAX_FOLLOWED_IN_ONE = 1_000;
/** Limit for unaccepted people: once they are accepted, their earlier messages count. */
export const MAX_STRANGERS = 400;

export interface GapMemory {
  find(conversation: string, deviceId: string): FollowedDevice | null;
  /** Stores a device as the one last heard. */
  save(device: FollowedDevice): void;
  forget(conversation: string, deviceId: string): void;
  forgetAll(): void;
  /** Some devices with missing numbers: at most `most`, without those returned last time. */
  incomplete(most: number): FollowedDevice[];
  /** Reports whether the person is informed of missing messages of someone in a conversation. */
  isReported(conversation: string, address: string): boolean;
}

/** A requested number of an own device. */
export interface GapRequest extends DeviceIn {
  seq: number;
  requestedAt: number;
  /** Time of the answer. */
  dueAt: number;
}

export interface GapRequestMemory {
  /** Stores a request. Duplicates are ignored. */
  add(request: GapRequest): void;
  count(): number;
  countOf(address: string): number;
  /** Due and unanswered requests, at most `most`. */
  due(now: number, most: number): GapRequest[];
  /** Number of messages resealed for a device. */
  resealed(deviceId: string): number;
  /**
   * Marks a request as answered.
   * @param isResealed whether the message was resealed
   */
  answered(request: GapRequest, isResealed: boolean): void;
  postpone(request: GapRequest, dueAt: number): void;
  /** Forgets requests before a time, answered or not. */
  forgetBefore(time: number): void;
}

/** A counted message of this device. */
export interface OwnMessage {
  body: MessageBody;
  /** False while it waits to be sent. */
  isSent: boolean;
}
