/** Turns of the event loop with nothing under way after which nothing more is to come. */
const QUIET_TURNS = 5;

/** Counts what is under way on watched ports, so that a test waits for work to be over instead of for some time. */
export class UnderWay {
  #count = 0;
  /** Promises given so far. */
  begun = 0;

  /** The same port; every promise that it gives is counted until it ends. */
  watched<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: readonly unknown[]) => this.#counted(value.apply(target, given));
      },
    });
  }

  /** Resolves when the work that was set going, and all that it set going in turn, is over. */
  async over(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = this.#count === 0 ? quiet + 1 : 0) {
      await new Promise((next) => setImmediate(next));
    }
  }

  #counted(result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    this.#count += 1;
    this.begun += 1;
    const done = () => {
      this.#count -= 1;
    };
    result.then(done, done);
    return result;
  }
}
