/** Import of exported chats (docs/export.md). Anyone may have written the file. */

import { HISTORY_VERSION, HistoryRecord } from '../../archive/history-records.ts';
import { Failure } from '../../base/failure.ts';
import { HistoryMerge, IMPORT, numberingFor } from '../history/merge.ts';
import type { EngineParts } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = 'messages.beginImport' | 'messages.import';

export function importProcedures({ context }: EngineParts): Pick<Procedures, Names> {
  let merge: HistoryMerge | null = null;

  return {
    'messages.beginImport': ({ account }) => {
      const own = context.identity.get();
      if (!own) throw new Failure('not_set_up');
      if (isNewer(account)) throw new Failure('import_newer');
      const parsed = HistoryRecord.safeParse(account);
      if (!parsed.success || parsed.data.type !== 'account') throw new Failure('import_unknown', { line: 1 });
      if (parsed.data.address !== own.address) throw new Failure('import_of_other');
      const numbering = numberingFor(context, parsed.data.lastArrival);
      merge = new HistoryMerge(context, own.address, numbering, IMPORT);
      return {};
    },
    'messages.import': ({ records, line }) => {
      if (!merge) throw new Failure('not_asked_now');
      const { added, withoutChat } = merge;
      const valid: HistoryRecord[] = [];
      for (const record of records) {
        const parsed = HistoryRecord.safeParse(record);
        if (!parsed.success) break;
        valid.push(parsed.data);
      }
      merge.merge(valid);
      merge.eraseTraces();
      if (valid.length < records.length) throw new Failure('import_unknown', { line: line + valid.length });
      return { added: merge.added - added, withoutChat: merge.withoutChat - withoutChat };
    },
  };
}

function isNewer(account: unknown): boolean {
  const version = (account as { version?: unknown } | null)?.version;
  return typeof version === 'number' && version > HISTORY_VERSION;
}
