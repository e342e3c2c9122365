/**
 * What an example of an endpoint is.
 */
import type { z } from 'zod';
import type { CredentialType } from '../../../protocol/credentials.ts';
import type { ENDPOINTS, Endpoint, EndpointName } from '../../../protocol/endpoints.ts';
import type { ExamplePeople } from './people.ts';
import type { WorkedExample } from './sealing.ts';

type Part = 'params' | 'headers' | 'query' | 'request' | 'response';

/** A part is there exactly if the endpoint has it, in the form in which code handles it. */
type PartOf<E, Key extends Part> =
  E extends Record<Key, infer Schema extends z.ZodType>
    ? { [K in Key]: z.output<Schema> }
    : { [K in Key]?: undefined };

type ExampleOf<E extends Endpoint> = PartOf<E, 'params'> &
  PartOf<E, 'headers'> &
  PartOf<E, 'query'> &
  PartOf<E, 'request'> &
  PartOf<E, 'response'> & {
    /** What it shows. */
    title: string;
    status: E['statuses'][number];
    /** Shown as called with this; with the first that may, unless said. */
    credential?: CredentialType;
  };

/** A call and its answer. */
export type Example<N extends EndpointName> = ExampleOf<(typeof ENDPOINTS)[N]>;

/** For each endpoint one example at least, the most usual first. */
export type Examples = {
  readonly [N in EndpointName]: readonly [Example<N>, ...Example<N>[]];
};

/** What examples are made of. */
export interface ExampleWorld extends ExamplePeople {
  sealed: WorkedExample;
  /** The relay's own URL. */
  relay: URL;
  relayName: string;
}
