import type { Millis } from '@crossbook/domain';
import { asCounter, asDecimalText, asObject, type WireObject } from '../wire/guards.ts';

/**
 * What all of Bybit v5's messages share: figures and most times are strings, "" means "none", and REST answers are
 * wrapped in an envelope whose `retCode` tells whether they are answers at all.
 * Source: bybit-exchange/docs v5, guide and error (2026-07-24).
 */

/** The envelope of a REST answer. */
export interface Envelope {
  /** 0: the call was answered. Anything else is an error of the venue, mostly behind HTTP 200. */
  readonly code: number;
  readonly message: string;
  readonly result: WireObject;
  /** What it says besides: of a batch, the code of each order. */
  readonly further: WireObject;
  /** The venue's time of the answer, where it tells it. */
  readonly time: Millis | undefined;
}

/** `{"retCode":0,"retMsg":"OK","result":{…},"retExtInfo":{},"time":ms}`; `undefined` for anything else. */
export function asEnvelope(answer: unknown): Envelope | undefined {
  const object = asObject(answer);
  const code = object?.retCode;
  if (object === undefined || typeof code !== 'number' || !Number.isSafeInteger(code)) return undefined;
  return {
    code,
    message: typeof object.retMsg === 'string' ? object.retMsg : '',
    result: asObject(object.result) ?? {},
    further: asObject(object.retExtInfo) ?? {},
    time: asCounter(object.time) as Millis | undefined,
  };
}

const DIGITS = /^[0-9]{1,16}$/;

/** A time in milliseconds: a string of digits in REST answers, an integer on sockets. */
export function asMillis(value: unknown): Millis | undefined {
  if (typeof value !== 'string') return asCounter(value) as Millis | undefined;
  return DIGITS.test(value) ? (asCounter(Number(value)) as Millis | undefined) : undefined;
}

/** A decimal string, or `''` where the venue says "none"; `undefined` for anything else. */
export function asDecimalOrNone(value: unknown): string | undefined {
  return value === '' || value === undefined ? '' : asDecimalText(value);
}

/** The cursor of the next page; `''` at the end (also spelt `null` and left out). */
export function asCursor(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : undefined;
}

/** A fraction as percent, digit by digit: `-0.0086` becomes `-0.86`. The argument must be a plain decimal. */
export function percentOf(fraction: string): string {
  const sign = fraction.startsWith('-') ? '-' : '';
  const [whole = '0', decimals = ''] = fraction.slice(sign.length).split('.');
  const shifted = decimals.padEnd(2, '0');
  const integer = `${whole}${shifted.slice(0, 2)}`.replace(/^0+(?=[0-9])/, '');
  const rest = shifted.slice(2).replace(/0+$/, '');
  return `${sign}${integer}${rest === '' ? '' : `.${rest}`}`;
}
