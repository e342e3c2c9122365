/** Reports of abuse to the operator. */
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { makeId } from '../secrets.ts';
import type { AddEndpoint } from './endpoint.ts';
import { isKnownTo } from './group-access.ts';

export function addReportRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, clock } = context;
  add(ENDPOINTS.createReport, async ({ credential, body: { about, reason, text = null } }) => {
    const report = { id: makeId(), reporter: credential.account, about, reason, text, now: clock() };
    const group = 'group' in about ? await store.findGroup(about.group) : null;
    const mayKnow = group === null || (await isKnownTo(context, group, credential));
    if (mayKnow && (await store.saveReport(report))) return { body: undefined };
    throw new ProblemError('not_found', 'account' in about ? 'account' : 'group');
  });
}
