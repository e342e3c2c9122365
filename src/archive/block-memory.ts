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

/** Two memories in turn: one block is read or written while the other is sealed or opened. */
export class BlockMemories {
  readonly #memories: readonly [BlockMemory, BlockMemory] = [new BlockMemory(), new BlockMemory()];
  #turn = 0;

  /** So many bytes, with any contents. They are valid until the next call but one. */
  next(length: number): Buffer {
    this.#turn = 1 - this.#turn;
    return (this.#turn === 0 ? this.#memories[0] : this.#memories[1]).of(length);
  }
}
