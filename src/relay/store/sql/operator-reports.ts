/** Reports in the form for the operator. */
import type { ReportReason } from '../../../protocol/schemas/reports.ts';
import type { OperatorReport } from '../report-records.ts';
import type { Database } from './database.ts';
import { blobToAddress } from './values.ts';

interface ReportRow {
  public_id: string;
  reporter: Buffer;
  about: Buffer | null;
  group_id: string | null;
  reason: string;
  text: string | null;
  reported_at: number;
}

/** Newest first. */
export async function listReports(database: Database, limit: number): Promise<OperatorReport[]> {
  const rows = database.prepare<[number], ReportRow>(
    `SELECT public_id, reporter.address AS reporter, about.address AS about, group_id, reason, text, reported_at
       FROM report JOIN account AS reporter ON reporter.id = reporter_id
            LEFT JOIN account AS about ON about.id = report.account_id
      ORDER BY report.id DESC LIMIT ?`,
  );
  return (await rows.all(limit)).map((row) => ({
    id: row.public_id,
    reporter: blobToAddress(row.reporter),
    about: row.about === null ? { group: row.group_id ?? '' } : { account: blobToAddress(row.about) },
    reason: row.reason as ReportReason,
    text: row.text,
    reportedAt: row.reported_at,
  }));
}
