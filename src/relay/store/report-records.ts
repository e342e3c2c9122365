/** Reports to the operator, as stored. */
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

/** A report as shown to the operator. */
export interface OperatorReport {
  id: string;
  /** The address of the reporter. */
  reporter: string;
  /** An address, or the id of a group. */
  about: { account: string } | { group: string };
  reason: ReportReason;
  text: string | null;
  reportedAt: number;
}

/** The part of the store for reports. */
export interface ReportStore {
  /**
   * Stores a report. It replaces an earlier report of the account on the same subject. False if the subject does
   * not exist.
   */
  saveReport(report: NewReport): Promise<boolean>;
  /** Newest first. */
  listReports(limit: number): Promise<OperatorReport[]>;
  /** Deletes a settled report. False if there is no such report. */
  resolveReport(id: string, now: number): Promise<boolean>;
}
