/**
 * Calls to a relay by plain fetch, and the shapes of its answers, protocol §14.
 */
import type { DeviceList } from '../device-list.ts';
import type { Envelope } from '../seal.ts';
import type { SealKey } from '../seal-key.ts';

export interface Answer<T> {
  status: number;
  contentType: string;
  headers: Headers;
  body: T;
}

export interface Session {
  token: string;
  expiresAt: string;
  address: string;
}

export interface Challenge {
  domain: string;
  uri: string;
  version: string;
  chainId: number;
  statement: string;
  nonce: string;
  issuedAt: string;
  expirationTime: string;
}

export interface Me {
  address: string;
  handle: string | null;
  displayName: string | null;
  developerApi: boolean;
  credential: {
    type: string;
    id: string;
    name: string | null;
    prefix: string | null;
    entitlements: string[];
    expiresAt: string | null;
    groupId?: string;
  };
  limits: Limits;
  quotas: Record<string, number>;
}

export interface Limits {
  payloadBytes: number;
  bodyBytes: number;
  batchEnvelopes: number;
  groupEnvelopes: number;
  queueEnvelopes: number;
  queueBytes: number;
  retentionSeconds: number;
}

export interface HandleRecord {
  handle: string;
  address: string;
  displayName: string | null;
  verified: boolean;
  createdAt: string;
}

export interface HandlePage {
  handles: HandleRecord[];
  nextCursor: string | null;
}

export interface Keys {
  address: string;
  deviceKeys: string[];
  deviceList: DeviceList;
  sealKeys: SealKey[];
}

export interface History {
  address: string;
  lists: DeviceList[];
  more: boolean;
}

export interface Accepted {
  id: string;
  acceptedAt: string;
}

export interface Results {
  results: { status: string; id?: string; error?: { code: string; detail: string } }[];
}

export type InboxEnvelope = Envelope & {
  id: string;
  from: string;
  groupId?: string;
  via: 'session' | 'api_key' | 'group_token';
  receivedAt: string;
};

export interface Inbox {
  device: string;
  envelopes: InboxEnvelope[];
  more: boolean;
}

export interface NewApiKey {
  id: string;
  name: string;
  prefix: string;
  entitlements: string[];
  createdAt: string;
  expiresAt: string | null;
  secret: string;
}

export type ApiKey = Omit<NewApiKey, 'secret'> & { lastUsedAt: string | null; revokedAt: string | null };

export interface GroupEntry {
  id: string;
  name: string;
  verified: boolean;
  memberCount: number;
  hasPassword: boolean;
  join: string;
  creator: string | null;
}

export interface GroupPage {
  groups: GroupEntry[];
  nextCursor: string | null;
}

export interface BotToken {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export type NewToken = Pick<BotToken, 'id' | 'name' | 'prefix' | 'createdAt'> & { secret: string };

export type Group = GroupEntry & {
  description: string;
  createdAt: string;
  members: string[];
  memberDeviceKeys: Record<string, string[]>;
  memberDevices: Record<string, Pick<Keys, 'deviceList' | 'sealKeys'>>;
  roster: { epoch: number; hash: string };
  botTokens?: BotToken[];
};

export type GroupResults = Results & { accepted: number; missing: string[]; stale: string[] };

export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  errors?: { path: string; message: string }[];
  requestId: string;
}

/** A relay's API under one credential, or none. */
export class Calls {
  readonly relay: string;
  readonly token: string | null;
  /** Lead of the relay's clock over ours in its last answer, in milliseconds. */
  ahead = 0;

  constructor(relay: string, token: string | null) {
    this.relay = relay;
    this.token = token;
  }

  /** One call, with any answer. */
  async send<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers: Record<string, string> = {};
    if (this.token !== null) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(new URL(`/api/v1${path}`, this.relay), init);
    this.ahead = Date.parse(response.headers.get('date') ?? '') - Date.now();
    const text = await response.text();
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      headers: response.headers,
      body: (text === '' ? null : JSON.parse(text)) as T,
    };
  }

  /** @throws Error with the relay's answer unless the status is the expected one */
  async expect<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send<T>(method, path, body);
    if (answer.status !== status) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }
}
