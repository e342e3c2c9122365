/**
 * The parts of the API: endpoints by the first segment of their path.
 */

import type { Endpoint } from '../protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '../protocol/endpoints.ts';

type FirstSegment<Path extends string> = Path extends `/${infer Segment}/${string}`
  ? Segment
  : Path extends `/${infer Segment}`
    ? Segment
    : '';
type Segment = FirstSegment<(typeof ENDPOINTS)[EndpointName]['path']>;

interface Heading {
  title: string;
  description: string;
}

const CALLER: Heading = {
  title: 'Me',
  description:
    'The account of the caller: its handle, profile, devices and API keys, and the entitlements of its credential.',
};
const DIRECTORY: Heading = {
  title: 'Directory',
  description: 'Public handles, and the seal keys of other people.',
};

const HEADINGS: Readonly<Record<Segment, Heading>> = {
  me: CALLER,
  handles: DIRECTORY,
  keys: DIRECTORY,
  'pq-keys': DIRECTORY,
  envelopes: { title: 'Envelopes', description: 'Sending sealed envelopes, one or a batch.' },
  blobs: {
    title: 'Blobs',
    description:
      'Files, sealed on the sender’s machine. A message carries the key; the relay stores the sealed bytes and cannot read them.',
  },
  inbox: {
    title: 'Inbox',
    description: 'Receiving and acknowledging. Every device of an address has its own queue.',
  },
  groups: {
    title: 'Groups',
    description: 'Groups, the keys of their members, sealed posts, and bot tokens.',
  },
  links: {
    title: 'Links',
    description:
      'Linking a new computer to an account, by an existing one of the same person. The code between them is the id of the new device; it is not secret.',
  },
  reports: { title: 'Reports', description: 'Reports of accounts and groups to the operator.' },
  auth: {
    title: 'Login',
    description:
      'Sessions for apps that have the wallet. Programs do not need them: they use an API key or a group token.',
  },
  '': { title: 'Relay', description: 'Description of this relay.' },
};

export interface Area extends Heading {
  endpoints: EndpointName[];
}

/** All endpoints, by area, in a useful order for readers. */
export const AREAS: readonly Area[] = [...new Set(Object.values(HEADINGS))].map((heading) => ({
  ...heading,
  endpoints: endpointNames().filter((name) => areaOf(ENDPOINTS[name]) === heading),
}));

/** The area of an endpoint. */
export function areaOf(endpoint: Endpoint): Heading {
  return HEADINGS[(endpoint.path.split('/')[1] ?? '') as Segment];
}

function endpointNames(): EndpointName[] {
  return Object.keys(ENDPOINTS) as EndpointName[];
}
