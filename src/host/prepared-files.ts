/** Files that a page has prepared and not sent: they are dropped when the page is reloaded or gone. */
import { engineProcedures } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import type { Calls } from './calls.ts';

export class PreparedFiles {
  readonly #calls: Pick<Calls, 'call'>;
  readonly #ids = new Set<string>();
  #isGone = false;

  /** @param calls of one page */
  constructor(calls: Pick<Calls, 'call'>) {
    this.#calls = calls;
  }

  /** Makes a call of the page. */
  async call(name: string, input: unknown): Promise<Answer<unknown>> {
    const answer = await this.#calls.call(name, input);
    if (!answer.ok) return answer;
    if (name === 'files.begin') this.#add(engineProcedures[name].output.safeParse(answer.value).data?.id);
    if (name === 'files.drop') this.#forget(engineProcedures[name].input.safeParse(input).data?.ids);
    if (name === 'messages.sendFiles') {
      const sent = engineProcedures[name].input.safeParse(input).data?.files;
      this.#forget(sent?.map(({ id }) => id));
    }
    return answer;
  }

  /** Called when the page is gone. */
  drop(): void {
    this.#isGone = true;
    const ids = [...this.#ids];
    this.#ids.clear();
    if (ids.length > 0) void this.#calls.call('files.drop', { ids });
  }

  #add(id: string | undefined): void {
    if (id === undefined) return;
    this.#ids.add(id);
    // Prepared while the page was closed.
    if (this.#isGone) this.drop();
  }

  #forget(ids: readonly string[] = []): void {
    for (const id of ids) this.#ids.delete(id);
  }
}
