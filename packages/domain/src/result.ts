/**
 * The answer of anything that may refuse for an expected reason (house style 7).
 * Broken invariants do not travel this way: they `assert` and stop the unit of work.
 */
export type Result<Value, Code = string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: Code; readonly field?: string };

/** Wraps a value that was obtained. */
export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** Wraps a refusal; `field` names the input that was refused, where there is one. */
export function refused<Code>(
  code: Code,
  field?: string,
): { readonly ok: false; readonly code: Code; readonly field?: string } {
  return field === undefined ? { ok: false, code } : { ok: false, code, field };
}

/**
 * Stops the unit of work when an invariant does not hold.
 * @throws Error always when `condition` is false; never for bad input, which is a `Result`.
 */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${invariant}`);
}
