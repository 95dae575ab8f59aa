import type { CallError } from '../../trading/call-answers.ts';

/**
 * What OKX's error codes prove about a request that changes something (OKX v5 guide, "Error Code", 2026).
 *
 * Definitive: the request was refused and had no effect; the hold may be released. Everything else is ambiguous, codes
 * not listed here included: its outcome is `unknown` until a query by our id proves it (decision 0004).
 * Listing a code wrongly loses money; leaving one out only costs a query.
 */
export const DEFINITIVE: ReadonlySet<string> = new Set([
  // The request itself could not be read: body, JSON, content type, parameters missing or contradicting.
  ...['50000', '50002', '50006', '50014', '50015', '50016', '50024', '50025'],
  // The account may not trade at all, or not this.
  ...['50007', '50008', '50012', '50027', '50028', '50030', '50032', '50033', '50035', '50060'],
  // Stopped by the limiter before any processing.
  ...['50011', '50040', '50061', '60014'],
  // expTime had passed when the venue looked: this very request was turned away.
  ...['50036', '50037'],
  // Keys, time and signature: stopped at the door.
  ...['50100', '50101', '50102', '50103', '50104', '50105', '50106', '50107', '50108', '50109', '50110'],
  ...['50111', '50112', '50113', '50114', '50119', '60004', '60005', '60006', '60007', '60011'],
  ...['60012', '60013', '60019', '60027', '60028', '60032'],
  // Parameters and instruments.
  ...['51000', '51001', '51003', '51012', '51015', '51021', '51022', '51027', '51028', '51087', '51155'],
  // Amount, price and balance, checked before the matching engine.
  ...['51004', '51005', '51006', '51007', '51008', '51009', '51010', '51020', '51024', '51025', '51033'],
  ...['51116', '51119', '51120', '51121', '51122', '51124', '51127', '51131', '51137', '51138', '51150'],
  ...['51174', '51185', '51201', '51202', '51203', '51204'],
  // Algo orders: amount, distance, count, a trigger on the wrong side of a price, what closes a whole position.
  ...['51250', '51252', '51257', '51258', '51259', '51260', '51261', '51275', '51276', '51277', '51278'],
  ...['51279', '51280', '51281', '51298', '51299', '51300', '51302', '51303', '51304', '51305', '51306'],
  ...['51307', '51308', '51311', '51312', '51317', '51327', '51328', '51329', '51330', '51331', '51333'],
  ...['51046', '51047', '51048', '51049', '51415', '51500', '51502'],
  // Several targets of one order: their number, kinds, prices and sizes.
  ...['51076', '51077', '51078', '51079', '51080', '51081', '51082', '51083', '51084', '51085', '51089'],
  ...['51091', '51092', '51093', '51094'],
  // Contracts: nothing to close or more than there is, amounts, what a liquidation or a funding under way forbids.
  ...['51023', '51030', '51101', '51105', '51107', '51112', '51115', '51169'],
  ...['50017', '50018', '50019', '50020', '50021', '50022', '50023'],
  // Settings: orders or positions forbid them, leverage, margin.
  ...['59000', '59002', '59100', '59101', '59102', '59103', '59104', '59105', '59106', '59107', '59108'],
  ...['59109', '59300', '59301'],
  // Transfers: amount, sub-account, permission, type.
  ...['58102', '58114', '58115', '58116', '58119', '58123', '58127', '58128', '58129', '58350'],
]);

/**
 * Named here only to say why they are NOT definitive: 1 and 2 (only the item's own code counts), 50001 unavailable,
 * 50004 time-out ("does not mean that the request was successful or failed"), 50013 busy (though it comes with status
 * 429), 50026 system error, 50042 repeated request, 50071, 51011 and 51016 id exists already (an earlier request may
 * live), 51065 the same of an algo order, 51054 and 51149 time-outs, 514xx and 51603 (an order that is not there), 58124 transfer under way.
 */

/** Statuses that prove by themselves, where no code can be read, that the request went no further. */
const DEFINITIVE_STATUSES: ReadonlySet<number> = new Set([403, 429]);

/** Codes of a cancel of an order that is not open: filled, cancelled, being cancelled or never there. */
export const NOT_OPEN: ReadonlySet<string> = new Set(['51400', '51401', '51402', '51410']);
/** Codes of a change of an order that is not open, and of a change or a cancel of an algo order that does not wait: over, triggered, being cancelled or never there. */
export const NOT_WAITING: ReadonlySet<string> = new Set([
  ...[...NOT_OPEN, '51412', '51416', '51503', '51509', '51510'],
]);
/** The code of a query for an order that does not exist. */
export const NO_SUCH_ORDER = '51603';
/** `transfer-state`: no such id among transfers of the type that was asked for. */
export const NO_SUCH_TRANSFER = '58129';
/** Codes that say that our time is wrong. */
export const WRONG_TIME: ReadonlySet<string> = new Set(['50102', '50112', '50036', '60004', '60006']);
/** Codes of the limiter. */
export const TOO_MANY: ReadonlySet<string> = new Set(['50011', '50040', '50061', '58102', '60014']);

/** An error answer: HTTP status (200 on a socket), the code nearest to the order, and its text. */
export type VenueError = CallError<string>;

/** Whether an error proves that a request had no effect. A server error never does, whatever code it carries. */
export function isDefinitive(error: VenueError): boolean {
  if (error.status >= 500) return false;
  return error.code === undefined ? DEFINITIVE_STATUSES.has(error.status) : DEFINITIVE.has(error.code);
}
