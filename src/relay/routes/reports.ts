/**
 * Reports: what people tell the operator of others who do harm.
 */
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problem-error.ts';
import { makeId } from '../secrets.ts';
import type { AddEndpoint } from './endpoint.ts';

export function addReportRoutes(add: AddEndpoint, { store, clock }: RelayContext): void {
  add(ENDPOINTS.createReport, async ({ credential, body: { about, reason, text = null } }) => {
    const report = { id: makeId(), reporter: credential.account, about, reason, text, now: clock() };
    if (await store.saveReport(report)) return { body: undefined };
    throw new ProblemError('not_found', 'account' in about ? 'account' : 'group');
  });
}
