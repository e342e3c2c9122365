/** Shared by the quick and the slow tests of quotas. */
import { DEFAULT_QUOTAS, type Quotas } from '../../../src/protocol/limits.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

export const QUOTAS: Quotas = {
  ...DEFAULT_QUOTAS,
  devices: 2,
  apiKeys: 3,
  groups: 3,
  groupTokens: 3,
  groupMembers: 2,
};

export const relay = new TestRelay({ limits: { quotas: QUOTAS, rates: ROOMY_RATES } });
