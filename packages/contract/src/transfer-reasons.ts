/**
 * Why a transfer did not happen, as a member reads it. Stored reasons are of three kinds: sentences of ours, which stand here; an
 * exchange's own words, which may name accounts of the operator and stay at the hub; and what a lookup met, which is nobody's business.
 */
type Row = readonly [stored: RegExp, en: string, ja: string, ko: string];

/** What stands in for an exchange's own words. */
export const TRANSFER_REFUSED_BY_VENUE = 'the exchange refused it';

const ROWS: readonly Row[] = [
  [
    /^the exchange refused it$/,
    'the exchange refused it.',
    '取引所が拒否しました。',
    '거래소가 거부했습니다.',
  ],
  [
    /^the exchange never received it$/,
    'the exchange never received it.',
    '取引所に届きませんでした。',
    '거래소에 도달하지 않았습니다.',
  ],
  [
    /^no account at the exchange$/,
    'there is no account at the exchange yet.',
    '取引所の口座がまだありません。',
    '거래소에 아직 계정이 없습니다.',
  ],
  [
    /^the exchange is too busy$/,
    'the exchange is too busy.',
    '取引所が混み合っています。',
    '거래소가 혼잡합니다.',
  ],
  [
    /^the service does not have enough (\S+) at (.+) at the moment$/,
    'the service does not have enough $1 at $2 at the moment.',
    '現在、$2の$1が不足しています。',
    '현재 $2의 $1이(가) 부족합니다.',
  ],
  [
    /^budget of the exchange used up, again in (\d+) s$/,
    'we may not ask the exchange more at the moment; again in $1 s.',
    '取引所へのリクエスト枠が埋まっています。$1秒後にお試しください。',
    '거래소 요청 한도를 모두 사용했습니다. $1초 후에 다시 시도해 주세요.',
  ],
];

/** Whether a stored reason is a sentence of ours. */
export function isTransferReason(reason: string): boolean {
  return ROWS.some(([stored]) => stored.test(reason));
}

/** A reason in a language; whatever is no sentence of ours says that the exchange refused. */
export function transferReasonText(reason: string, language: 'en' | 'ja' | 'ko'): string {
  const own = isTransferReason(reason) ? reason : TRANSFER_REFUSED_BY_VENUE;
  const row = ROWS.find(([stored]) => stored.test(own));
  if (row === undefined) return own;
  const [stored, en, ja, ko] = row;
  return own.replace(stored, { en, ja, ko }[language]);
}
