/**
 * Reports to the operator, as the store keeps them.
 */
import type { ReportReason, ReportRequest } from '../../protocol/schemas/reports.ts';
import type { AccountKey } from './records.ts';

export interface NewReport {
  id: string;
  reporter: AccountKey;
  about: ReportRequest['about'];
  reason: ReportReason;
  text: string | null;
  now: number;
}

/** A report as the operator sees it. */
export interface OperatorReport {
  id: string;
  /** The address of who reports. */
  reporter: string;
  /** An address, or the id of a group. */
  about: { account: string } | { group: string };
  reason: ReportReason;
  text: string | null;
  reportedAt: number;
}

/** The part of the store that keeps reports. */
export interface ReportStore {
  /**
   * Keeps a report. Another one of the same account about the same takes its place. False if what it is about is not there.
   */
  saveReport(report: NewReport): Promise<boolean>;
  /** Newest first. */
  listReports(limit: number): Promise<OperatorReport[]>;
  /** Takes away a report that is settled. False if there is no such report. */
  resolveReport(id: string, now: number): Promise<boolean>;
}
