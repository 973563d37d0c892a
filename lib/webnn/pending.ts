/** Promises that end early: what waits for the device must not wait for ever when its tensor or context is destroyed. */

type Reject = (error: unknown) => void;

/** A group of promises that can be rejected together. */
export class Pending {
  readonly #rejects = new Set<Reject>();

  /** The result of `work`, or the error of `reject`, whichever comes first. */
  async wait<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#rejects.add(reject);
      work.then(resolve, reject).finally(() => this.#rejects.delete(reject));
    });
  }

  reject(error: () => unknown): void {
    for (const reject of this.#rejects) reject(error());
    this.#rejects.clear();
  }
}
