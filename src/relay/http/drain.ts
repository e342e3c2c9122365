/**
 * The announced end of a relay: it still answers every request, reports to the load balancer that it is no longer
 * ready, and closes each connection after its next answer.
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
