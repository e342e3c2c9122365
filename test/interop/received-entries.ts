import type { Actor } from './group-acts.ts';
import { postEntry } from './group-acts.ts';
import { learnList, readChain } from './group-reading.ts';
import type { Accepted } from './judging.ts';
import { Problem } from './relay.ts';
import { bodyOf, type Entry, entryHash, readBody } from './roster-entry.ts';
import { type Evidence, judgeEntryAsEvidence } from './roster-evidence.ts';
import { hasEntry } from './roster-fold.ts';
import { isMember } from './roster-state.ts';

/** Entries that members send each other in a `hello` (section 11, 'Evidence'). */

/** Maximum number of device lists to request for one `hello`, which has at most eight entries. */
const LISTS_ASKED_MOST = 16;

/** Judges the entries of an accepted `hello` about a group of the own address. Proof of a split stops all sealing. */
export async function receiveEntries(actor: Actor, { body }: Accepted): Promise<Evidence[]> {
  const { group: id, entries } = body;
  if (typeof id !== 'string' || !Array.isArray(entries)) return [];
  const group = actor.memory.group(id);
  if (!isMember(group.state, actor.device.address)) return [];
  await readChain(actor.relay, actor.memory, id, actor.now());
  const verdicts: Evidence[] = [];
  for (const entry of entries as Entry[]) {
    const verdict = await weigh(actor, id, entry);
    if (verdict === 'split') group.split ??= entry;
    verdicts.push(verdict);
  }
  return verdicts;
}

async function weigh(actor: Actor, id: string, entry: Entry): Promise<Evidence> {
  const { relay, memory, now } = actor;
  const { state } = memory.group(id);
  const missing: { address: string; sequence: number }[] = [];
  const lists = (address: string, sequence: number) => {
    const list = memory.list(address, sequence);
    if (list === undefined) missing.push({ address, sequence });
    return list;
  };
  for (let count = 0; count < LISTS_ASKED_MOST; count++) {
    const verdict = judgeEntryAsEvidence(state, entry, now(), lists);
    const wanted = missing.pop();
    missing.length = 0;
    if (verdict === 'follows') return post(actor, id, entry);
    if (verdict !== 'wait' || wanted === undefined) return verdict;
    if (!(await learnList(relay, memory, wanted.address, wanted.sequence, now()))) return verdict;
  }
  return 'wait';
}

/** A missing entry is posted. A change that the relay refuses although it folds is a proof. */
async function post(actor: Actor, id: string, entry: Entry): Promise<Evidence> {
  const { relay, memory, now } = actor;
  try {
    await postEntry(relay, id, entry);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isChange = readBody(bodyOf(entry)).kind === 'change';
    const isProof = error.code === 'roster_refused' && error.reason !== 'list_not_newest';
    if (isChange && isProof) return 'split';
  }
  const { state } = await readChain(relay, memory, id, now());
  const bytes = bodyOf(entry);
  return hasEntry(state, { epoch: readBody(bytes).epoch, hash: entryHash(bytes) }) ? 'shown' : 'follows';
}
