/**
 * The end of a relay, said before: it answers all that comes, tells the load balancer that it is not ready any more, and has
 * each connection closed after its next answer.
 */

export class Drain {
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    this.#hasBegun = true;
  }
}
