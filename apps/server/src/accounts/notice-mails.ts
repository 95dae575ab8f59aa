import type { Caller } from '@crossbook/contract';
import type { MailText } from './ports.ts';
import { wordLine } from './security-mails.ts';

/** Who reads a notice: in which language, and by which word the hub is known. */
export interface NoticeReader {
  readonly language: Caller['language'];
  readonly antiPhishing?: string | undefined;
}

/** A version of a text that members agree to. */
export interface NewText {
  readonly kind: 'terms' | 'privacy';
  /** Its first day, in UTC, as `2026-01-31`. */
  readonly from: string;
  /** Where it is read. */
  readonly link: string;
}

const REWARD = {
  en: [
    'a referral reward was paid',
    (amount: string) => `${amount} USDT for members whom you brought are in your funding wallet.`,
  ],
  ja: [
    '紹介報酬が支払われました',
    (amount: string) => `ご紹介いただいた会員の報酬として、${amount} USDT を資金ウォレットに入金しました。`,
  ],
  ko: [
    '추천 보상이 지급되었습니다',
    (amount: string) => `초대하신 회원에 대한 보상 ${amount} USDT가 자금 지갑에 입금되었습니다.`,
  ],
} as const;

const TEXTS = {
  en: { terms: 'our Terms of Service have a new version', privacy: 'our Privacy Policy has a new version' },
  ja: { terms: '利用規約が改定されます', privacy: 'プライバシーポリシーが改定されます' },
  ko: { terms: '이용약관이 개정됩니다', privacy: '개인정보 처리방침이 개정됩니다' },
} as const;

const FROM = {
  en: ({ from, link }: NewText) => `It holds from ${from} (UTC). Please read it here:\n${link}`,
  ja: ({ from, link }: NewText) => `${from}（UTC）から適用されます。こちらでご確認ください:\n${link}`,
  ko: ({ from, link }: NewText) => `${from}(UTC)부터 적용됩니다. 여기에서 확인해 주세요:\n${link}`,
} as const;

function notice(productName: string, reader: NoticeReader, title: string, text: string): MailText {
  const subject = `${productName}: ${title}`;
  const parts = [...wordLine(reader.language, reader.antiPhishing), subject, text];
  return { subject, body: `${parts.join('\n\n')}\n` };
}

/** A reward, or several at once, were paid. @param amount decimal text, of USDT. */
export function rewardSettledMail(productName: string, reader: NoticeReader, amount: string): MailText {
  const [title, text] = REWARD[reader.language];
  return notice(productName, reader, title, text(amount));
}

/** Terms or Privacy have a version that the reader has not agreed to. */
export function newTextMail(productName: string, reader: NoticeReader, text: NewText): MailText {
  const { language } = reader;
  return notice(productName, reader, TEXTS[language][text.kind], FROM[language](text));
}
