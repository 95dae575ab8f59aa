import type { Caller } from '@crossbook/contract';
import type { MailText } from '../ports.ts';
import { wordLine } from '../security-mails.ts';
import type { KycReason } from './kyc-ports.ts';
import type { KycCaseState } from './kyc-states.ts';

type Texts = readonly [en: string, ja: string, ko: string];

/** What a mail about a case says besides its state. */
export interface KycMailFacts {
  readonly language: Caller['language'];
  /** The word the member chose: who writes it knows the member. */
  readonly antiPhishing?: string | undefined;
  readonly reason?: KycReason | undefined;
  /** What was passed before is taken back. */
  readonly revoked?: boolean;
  /** What the reviewer wrote. */
  readonly note?: string;
}

const TITLES: Readonly<Record<KycCaseState, Texts>> = {
  pending: [
    'your documents have arrived and are being checked',
    '本人確認書類を受け付けました。審査中です',
    '본인 확인 서류가 접수되어 심사 중입니다',
  ],
  done: ['Certification successful', '本人確認が完了しました', '본인 인증이 완료되었습니다'],
  expired: [
    'your verification has ended; please submit your documents again',
    '本人確認の有効期限が切れました。書類をもう一度提出してください',
    '본인 인증의 유효 기간이 끝났습니다. 서류를 다시 제출해 주세요',
  ],
  refused: [
    'your identity could not be verified',
    '本人確認を完了できませんでした',
    '본인 확인을 완료하지 못했습니다',
  ],
};

const REVOKED: Texts = [
  'your verification was taken back; please submit your documents again',
  '本人確認が取り消されました。書類をもう一度提出してください',
  '본인 인증이 취소되었습니다. 서류를 다시 제출해 주세요',
];

const ENDING: Texts = [
  'your verification ends soon',
  '本人確認の有効期限が近づいています',
  '본인 인증의 유효 기간이 곧 끝납니다',
];
const UNTIL: Readonly<Record<Caller['language'], (day: string) => string>> = {
  en: (day) =>
    `It counts until ${day} (UTC). After that your limits are those of tier 0 until documents that you submit then have been checked; closing positions and moving out stay open.`,
  ja: (day) =>
    `有効期限は${day}（UTC）です。その後は、あらためて提出いただく書類の確認が終わるまで、上限はティア0になります。ポジションの決済と資金の引き上げはそのままご利用いただけます。`,
  ko: (day) =>
    `${day}(UTC)까지 유효합니다. 이후에는 다시 제출하신 서류의 확인이 끝날 때까지 등급 0의 한도가 적용됩니다. 포지션 청산과 자금 이동은 계속 이용할 수 있습니다.`,
};
const REASONS: Readonly<Record<KycReason, Texts>> = {
  blurred: [
    'A picture cannot be read. Please take it again in good light.',
    '画像が不鮮明です。明るい場所で撮り直してください。',
    '사진을 읽을 수 없습니다. 밝은 곳에서 다시 촬영해 주세요.',
  ],
  mismatch: [
    'What was entered is not what the document says.',
    '入力内容が書類と一致しません。',
    '입력한 내용이 서류와 일치하지 않습니다.',
  ],
  expired: [
    'The document is no longer valid.',
    '書類の有効期限が切れています。',
    '서류의 유효 기간이 지났습니다.',
  ],
  underage: [
    'You must be 18 or older.',
    '18歳以上の方のみご利用いただけます。',
    '만 18세 이상만 이용할 수 있습니다.',
  ],
  country: [
    'Services are unavailable in your country or region.',
    'お住まいの国・地域ではサービスをご利用いただけません。',
    '해당 국가 또는 지역에서는 서비스를 이용할 수 없습니다.',
  ],
  duplicate: [
    'This document already belongs to an account.',
    'この書類は既に別のアカウントで使用されています。',
    '이 서류는 이미 다른 계정에서 사용되었습니다.',
  ],
  suspected: [
    'We could not establish that the document is genuine.',
    '書類が真正なものであることを確認できませんでした。',
    '서류가 진본임을 확인할 수 없었습니다.',
  ],
  other: ['Please read the remark.', '備考をご確認ください。', '비고를 확인해 주세요.'],
};

const NEVER: Texts = [
  'We never ask for codes, passwords or access to your machine.',
  '認証コードやパスワード、端末の操作権限をお尋ねすることはありません。',
  '저희는 코드, 비밀번호, 기기 접근 권한을 절대 요구하지 않습니다.',
];

const PLACE = { en: 0, ja: 1, ko: 2 } as const;

/** A mail about a member's case: what it came to and why; nothing of what the member stated. */
export function kycMail(productName: string, state: KycCaseState, facts: KycMailFacts): MailText {
  const { language, reason, revoked = false, note = '' } = facts;
  const said = (texts: Texts): string => texts[PLACE[language]];
  return framed(productName, facts, revoked ? REVOKED : TITLES[state], [
    ...(reason === undefined ? [] : [said(REASONS[reason])]),
    ...(note === '' ? [] : [note]),
  ]);
}

/** A mail about a passed check that ends soon. @param day the first one on which it counts no more, as `2026-01-31`. */
export function kycEndingMail(productName: string, facts: KycMailFacts, day: string): MailText {
  return framed(productName, facts, ENDING, [UNTIL[facts.language](day)]);
}

function framed(
  productName: string,
  { language, antiPhishing }: KycMailFacts,
  title: Texts,
  said: readonly string[],
): MailText {
  const subject = `${productName}: ${title[PLACE[language]]}`;
  const parts = [...wordLine(language, antiPhishing), subject, ...said, NEVER[PLACE[language]]];
  return { subject, body: `${parts.join('\n\n')}\n` };
}
