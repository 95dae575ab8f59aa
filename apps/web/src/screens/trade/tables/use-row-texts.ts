import { useEffect, useRef, useState } from 'react';

/** A row's words for a screen reader follow its figures no faster than this. */
const EVERY_MILLIS = 1_000;

/**
 * What a screen reader is spoken of rows: made anew once a second, however often the figures change.
 * @param textOf absent where the cells say it in words.
 */
export function useRowTexts<Row>(
  textOf: ((row: Row) => string) | undefined,
  rowKey: (row: Row) => string,
): (row: Row) => string | undefined {
  const [beat, setBeat] = useState(0);
  const spoken = useRef({ beat, texts: new Map<string, string>() });
  const any = textOf !== undefined;
  useEffect(() => {
    if (!any) return;
    const timer = setInterval(() => setBeat((before) => before + 1), EVERY_MILLIS);
    return () => clearInterval(timer);
  }, [any]);
  if (spoken.current.beat !== beat) spoken.current = { beat, texts: new Map() };
  const { texts } = spoken.current;
  return (row) => {
    if (textOf === undefined) return undefined;
    const key = rowKey(row);
    const text = texts.get(key) ?? textOf(row);
    texts.set(key, text);
    return text;
  };
}
