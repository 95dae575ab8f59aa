/** Fields that all have one value, by their names parted by blanks: what an answer has and the simulator does not. */
export function fields<Value>(names: string, value: Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}
