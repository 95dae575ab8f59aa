/** A proof that takes too long for every commit. */
export interface Campaign {
  /** One line for the list and the head of the run. */
  readonly about: string;
  /** Prints what it finds; resolves with whether everything holds. */
  run(args: readonly string[]): Promise<boolean>;
}
