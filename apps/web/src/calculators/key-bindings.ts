import { KEYS, type Key, type KeyChord, type KeyId, type KeyPress } from './keys.ts';

/** `ticket.buy=Shift+KeyN`: one key that is set otherwise than it comes. */
const ENTRY = /^([a-z]+\.[a-z0-9]+)=(Ctrl\+)?(Shift\+)?([A-Za-z0-9]+)$/i;

function isKeyId(id: string): id is KeyId {
  return KEYS.some((key) => key.id === id);
}

/** Keys of the browser and of every text field, with Ctrl. */
const BROWSER_CODES = /^(?:Key[ACFLNPRSTVWXYZ]|Digit\d|Numpad\d)$/;
/** Keys that mean something by themselves in fields, in lists and to the browser; with Shift they may be had. */
const OWN_CODES = /^(?:Escape|Enter|Space|Arrow\w+|Home|End|Page\w+|KeyG|Delete|Backspace|F\d+)$/;
const MODIFIER_CODES = /^(?:Shift|Control|Alt|Meta|CapsLock)/;

/** Why a key cannot be had. */
export type RefusedKey = 'browser' | 'alone';

function refusal({ code, ctrl, shift }: KeyChord, { trades }: Key): RefusedKey | undefined {
  if (code === 'F5' || code === 'Tab') return 'browser';
  if (ctrl === true && code === 'Enter') return undefined;
  if (ctrl === true) return BROWSER_CODES.test(code) || OWN_CODES.test(code) ? 'browser' : undefined;
  if (shift !== true && OWN_CODES.test(code)) return 'browser';
  // What sends or cancels is never one key alone.
  return trades !== undefined && shift !== true ? 'alone' : undefined;
}

function withChord(key: Key, { code, ctrl, shift }: KeyChord): Key {
  const { id, swap, trades, afterG } = key;
  return {
    ...{ id, code },
    ...(ctrl === true ? { ctrl } : {}),
    ...(shift === true ? { shift } : {}),
    ...(afterG === true ? { afterG } : {}),
    ...(swap === true ? { swap } : {}),
    ...(trades === undefined ? {} : { trades }),
  };
}

function isSame(left: Key, right: Key): boolean {
  return (
    left.code === right.code &&
    (left.shift ?? false) === (right.shift ?? false) &&
    (left.ctrl ?? false) === (right.ctrl ?? false) &&
    (left.afterG ?? false) === (right.afterG ?? false)
  );
}

/** Every key as it is set; what is kept but cannot be had is as it comes. @param kept `ticket.buy=KeyN;...`. */
export function boundKeys(kept: string): readonly Key[] {
  const chords = new Map<KeyId, KeyChord>();
  for (const entry of kept.split(';')) {
    const [, id = '', ctrl, shift, code = ''] = ENTRY.exec(entry) ?? [];
    if (!isKeyId(id)) continue;
    chords.set(id, { code, ...(ctrl ? { ctrl: true } : {}), ...(shift ? { shift: true } : {}) });
  }
  return KEYS.map((key) => {
    const chord = chords.get(key.id);
    return chord === undefined || refusal(chord, key) !== undefined ? key : withChord(key, chord);
  });
}

/** What became of giving something another key. */
export type Rebound =
  /** What is to be kept. */
  | { readonly kept: string }
  | { readonly refused: RefusedKey }
  /** That key does this already. */
  | { readonly holder: Key };

/**
 * Gives `id` the key that is pressed; `undefined` while only Shift or Ctrl is. What comes after `g` stays there.
 * @param kept what was set before.
 */
export function rebind(kept: string, id: KeyId, press: KeyPress): Rebound | undefined {
  const key = KEYS.find((row) => row.id === id);
  if (key === undefined || MODIFIER_CODES.test(press.code)) return undefined;
  if (press.altKey || press.metaKey || press.code === '') return { refused: 'browser' };
  const chord: KeyChord = {
    code: press.code,
    ...(press.ctrlKey ? { ctrl: true } : {}),
    ...(press.shiftKey ? { shift: true } : {}),
  };
  const refused = refusal(chord, key);
  if (refused !== undefined) return { refused };
  const wanted = withChord(key, chord);
  const holder = boundKeys(kept).find((row) => row.id !== id && isSame(row, wanted));
  if (holder !== undefined) return { holder };
  const others = kept.split(';').filter((entry) => entry !== '' && !entry.startsWith(`${id}=`));
  if (isSame(key, wanted)) return { kept: others.join(';') };
  const text = `${id}=${press.ctrlKey ? 'Ctrl+' : ''}${press.shiftKey ? 'Shift+' : ''}${press.code}`;
  return { kept: [...others, text].join(';') };
}
