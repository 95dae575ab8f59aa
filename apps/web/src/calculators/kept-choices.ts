/** Reads choices kept by name: `1=value;2=contracts`. What is not of that form is left out. */
export function readChoices(kept: string): ReadonlyMap<string, string> {
  return new Map(
    kept.split(';').flatMap((part) => {
      const match = /^([\w-]+)=([\w,-]+)$/.exec(part);
      return match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const];
    }),
  );
}

/** The kept choices with one of them changed; `undefined` forgets it. */
export function writeChoice(kept: string, name: string, choice: string | undefined): string {
  const choices = new Map(readChoices(kept));
  if (choice === undefined) choices.delete(name);
  else choices.set(name, choice);
  return [...choices].map(([key, value]) => `${key}=${value}`).join(';');
}
