import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** The few files that the market side keeps: printed bars by day, price shocks, where a recording was placed. */
export interface MarketFiles {
  names(): readonly string[];
  read(name: string): Uint8Array | undefined;
  /** Adds bytes at the end; not forced to disk: losing the last bars at a power cut is harmless. */
  append(name: string, bytes: Uint8Array): void;
  /** Adds bytes at the end and waits until they are on disk. */
  appendDurably(name: string, bytes: Uint8Array): void;
  replace(name: string, bytes: Uint8Array): void;
  remove(name: string): void;
}

/** Files of a directory, which is made when it is missing. */
export function marketDirectory(path: string): MarketFiles {
  mkdirSync(path, { recursive: true });
  const full = (name: string): string => join(path, name);
  return {
    names: () => readdirSync(path).sort(),
    read: (name) => (existsSync(full(name)) ? readFileSync(full(name)) : undefined),
    append: (name, bytes) => appendFileSync(full(name), bytes),
    appendDurably: (name, bytes) => {
      const file = openSync(full(name), 'a');
      writeSync(file, bytes);
      fdatasyncSync(file);
      closeSync(file);
    },
    replace: (name, bytes) => {
      writeFileSync(full(`${name}.new`), bytes);
      renameSync(full(`${name}.new`), full(name));
    },
    remove: (name) => rmSync(full(name), { force: true }),
  };
}

/** The same in memory: for a market that nobody needs to find again. */
export function volatileFiles(): MarketFiles {
  const files = new Map<string, Uint8Array>();
  const append = (name: string, bytes: Uint8Array): void => {
    const before = files.get(name) ?? new Uint8Array();
    const after = new Uint8Array(before.length + bytes.length);
    after.set(before);
    after.set(bytes, before.length);
    files.set(name, after);
  };
  return {
    names: () => [...files.keys()].sort(),
    read: (name) => files.get(name),
    append,
    appendDurably: append,
    replace: (name, bytes) => void files.set(name, bytes),
    remove: (name) => void files.delete(name),
  };
}
