/**
 * Memory for one block at a time. It is used again for the next block: memory of its own for each costs more processor time, in
 * clearing, copying and collecting garbage, than sealing does.
 */
export class BlockMemory {
  #bytes = Buffer.alloc(0);

  /** So many bytes, with any contents. They are valid until the next call. */
  of(length: number): Buffer {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(length);
    return this.#bytes.subarray(0, length);
  }
}

/** Several memories in turn: some blocks are read or written while another one is sealed or opened. */
export class BlockMemories {
  readonly #memories: readonly BlockMemory[];
  #turn = 0;

  /** @param count number of blocks that are used at the same time */
  constructor(count: number) {
    this.#memories = Array.from({ length: count }, () => new BlockMemory());
  }

  /** So many bytes, with any contents. They are valid until `count` more blocks are requested. */
  next(length: number): Buffer {
    this.#turn = (this.#turn + 1) % this.#memories.length;
    const memory = this.#memories[this.#turn];
    if (!memory) throw new RangeError('no memory');
    return memory.of(length);
  }
}
