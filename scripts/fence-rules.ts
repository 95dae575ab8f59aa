import { posix } from 'node:path';

/** One room of the real house. */
export interface Room {
  /** Its folder, or the first of its files: `packages/venues/src/okx`, `packages/venues/src/index.ts`. */
  readonly name: string;
  readonly folder: string;
  /** Base names where the room is some files of its folder; absent = the files there that no other room has. */
  readonly files?: readonly string[];
  /** Whether nothing is kept out: proofs may look everywhere. */
  readonly open: boolean;
  /** Names of the other rooms that it may import. */
  readonly rooms: readonly string[];
  /** Specifiers that it may import besides: `@crossbook/domain`, `node:crypto`, `node:*`. */
  readonly doors: readonly string[];
  /** Declared dependencies that it keeps out. */
  readonly without: readonly string[];
}

const PROOFS = [
  '**/*.test.ts',
  '**/*.test.tsx',
  '**/*.test.mjs',
  '**/*.fixture.ts',
  '**/testing.ts',
  '**/testing-setup.ts',
];

/** Whether an import of `target` from `room` is let through. */
export function mayImport(room: Room, target: Room): boolean {
  return room.open || room.name === target.name || room.rooms.includes(target.name);
}

/** The lint rule of one room: everything is refused, then what its row names is let through again. */
function fenceOf(room: Room, rooms: readonly Room[]): object {
  const near = (target: Room, file: string): string => {
    const path = posix.relative(room.folder, posix.join(target.folder, file));
    return path.startsWith('.') ? path : `./${path}`;
  };
  const named = rooms.filter((target) => target.files !== undefined);
  const whole = rooms.filter((target) => target.files === undefined && mayImport(room, target));
  const apart = (refuse: boolean) => named.filter((target) => mayImport(room, target) !== refuse);
  const own = named.filter((other) => other.folder === room.folder).flatMap((other) => other.files ?? []);
  const group = [
    ...['./**', '../**', '@crossbook/**', 'node:*', 'node:*/**'],
    ...whole.map((target) => `!${near(target, '*')}`),
    ...apart(true)
      .filter((door) => whole.some((target) => target.folder === door.folder))
      .flatMap((door) => (door.files ?? []).map((file) => near(door, file))),
    ...apart(false).flatMap((door) => (door.files ?? []).map((file) => `!${near(door, file)}`)),
    ...room.doors.map((door) => `!${door}`),
    ...PROOFS,
    ...room.without,
  ];
  const may = [...room.rooms, ...room.doors.filter((door) => door !== 'node:*/**')];
  const message = `${room.name} may import ${may.length === 0 ? 'nothing' : may.join(', ')} (scripts/rooms.ts).`;
  const options = { patterns: [{ group, message }] };
  const includes = room.files?.map((file) => `${room.folder}/${file}`) ?? [
    `${room.folder}/*`,
    ...own.map((file) => `!${room.folder}/${file}`),
  ];
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } },
  };
}

/** The whole text of biome.fences.json, which biome.json extends: one line for a room. */
export function fencesText(rooms: readonly Room[]): string {
  const fences = rooms.filter((room) => !room.open).map((room) => fenceOf(room, rooms));
  // Once for all rooms, at the end: what a room's own line excepts is compared with every file of the house.
  const proofs = { includes: PROOFS, linter: { rules: { style: { noRestrictedImports: 'off' } } } };
  const lines = [...fences, proofs].map((override) => JSON.stringify(override));
  return `{"overrides": [\n${lines.join(',\n')}\n]}\n`;
}
