/**
 * An engine in the thread of the test: it starts in a fraction of the time of one with its own thread. Its inputs,
 * outputs and events are also checked against the bridge contract.
 */
import { failureFrom } from '../../src/base/failure.ts';
import { type EventName, engineProcedures } from '../../src/bridge/contract.ts';
import { events } from '../../src/bridge/events.ts';
import { type Cache, openCache } from '../../src/engine/cache/database.ts';
import { Engine, type EngineSettings } from '../../src/engine/engine.ts';
import type { EngineHandle, FileSettings } from '../../src/engine/start.ts';
import type { ReceiptSettings } from '../../src/messaging/receipts/settings.ts';
import { TestEngine } from './engine.ts';

type Listener = (name: EventName, payload: unknown) => void;

export class LocalEngine extends TestEngine {
  protected engine: Engine | null = null;
  /** Its database, while it runs. */
  protected cache: Cache | null = null;
  /** Settings of receipts; the defaults unless given. */
  receipts: ReceiptSettings | undefined = undefined;
  /** Settings about files; the defaults unless given. */
  files: FileSettings | undefined = undefined;

  /** Its file thread. */
  fileWorker = new URL('../../src/engine/files/worker.ts', import.meta.url);

  /** Its clock and random numbers; by default those of the machine. */
  protected get surroundings(): EngineSettings['surroundings'] {
    return undefined;
  }

  protected override async open(): Promise<EngineHandle> {
    const { surroundings } = this;
    const settings = {
      sealingWorker: new URL('../../src/engine/sealing/worker.ts', import.meta.url),
      fileWorker: this.fileWorker,
      relays: this.relays,
      ...(surroundings && { surroundings }),
      receipts: this.receipts,
      files: this.files,
    };
    const listeners = new Set<Listener>();
    const notify: Listener = (name, payload) => {
      const known = events[name].parse(structuredClone(payload));
      // Not during other work of the engine.
      setImmediate(() => {
        for (const listener of listeners) listener(name, known);
      });
    };
    const db = openCache(this.folder.path, this.key);
    const engine = open(db, settings, notify);
    this.engine = engine;
    this.cache = db;
    const ended = Promise.withResolvers<null>();
    return {
      ended: ended.promise,
      async call(name, input) {
        const procedure = engineProcedures[name as keyof typeof engineProcedures];
        const answer = await engine.call(name, procedure.input.parse(structuredClone(input)));
        if (!answer.ok) return answer;
        return { ok: true, value: procedure.output.parse(structuredClone(answer.value)) };
      },
      onEvent(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async recoverySecret() {
        const answer = engine.recoverySecret();
        if (!answer.ok) throw failureFrom(answer.failure);
        return answer.value;
      },
      setReceipts: async (settings) => engine.setReceipts(settings),
      setFiles: async (settings) => engine.setFiles(settings),
      inboxAccess: async () => engine.inboxAccess(),
      writeFile: (address, offset, bytes) => engine.writeFile(address, offset, bytes),
      readFile: (address, offset, length) => engine.readFile(address, offset, length),
      describeFile: (place) => engine.describeFile(place),
      exportFile: (place, target) => engine.exportFile(place, target),
      makeBackup: (target, choice) => engine.makeBackup(target, choice),
      restoreBackup: (path, typed) => engine.restoreBackup(path, typed),
      setBackupFolder: (parent, choice) => engine.setBackupFolder(parent, choice),
      close: async () => {
        this.engine = null;
        this.cache = null;
        await engine.close();
        ended.resolve(null);
      },
    };
  }
}

function open(db: Cache, settings: EngineSettings, listener: Listener): Engine {
  try {
    return new Engine(db, settings, listener);
  } catch (error) {
    db.close();
    throw error;
  }
}
