import type { Caller } from '@crossbook/contract';
import type { Mail, MailText } from './ports.ts';
import { recoveryGoesOn, recoveryNotices, recoveryRefused } from './recovery-mails.ts';
import {
  type SecurityEvent,
  type SecurityMailFacts,
  type SecurityTextFacts,
  securityMail,
  securityText,
  wordLine,
} from './security-mails.ts';

const REGISTER_CODE = {
  en: {
    subject: 'verification code',
    hello: (name: string) => `Welcome to ${name}.`,
    says: 'Your verification code',
    never: (name: string) =>
      `It is valid for 30 minutes. Nobody from ${name} will ever ask you for it. If you did not ask for a code, ignore this mail.`,
  },
  ja: {
    subject: '認証コード',
    hello: (name: string) => `${name} へようこそ。`,
    says: '認証コード',
    never: () =>
      '有効期限は30分です。このコードを誰にも教えないでください。心当たりがない場合は、このメールを破棄してください。',
  },
  ko: {
    subject: '인증 코드',
    hello: (name: string) => `${name}에 오신 것을 환영합니다.`,
    says: '인증 코드',
    never: (name: string) =>
      `30분 동안 유효합니다. ${name}에서는 절대 이 코드를 묻지 않습니다. 요청하지 않으셨다면 이 메일을 무시해 주세요.`,
  },
} as const;

const ALREADY_REGISTERED = {
  en: {
    subject: 'this address already has an account',
    body: (name: string) =>
      `Somebody tried to sign up at ${name} with this address, but it already has an account: please log in. If that was not you, there is nothing to do.`,
  },
  ja: {
    subject: 'このメールアドレスは登録済みです',
    body: (name: string) =>
      `このメールアドレスで ${name} への登録が試みられましたが、既にアカウントがあります。ログインしてください。心当たりがない場合、対応は不要です。`,
  },
  ko: {
    subject: '이미 등록된 이메일 주소입니다',
    body: (name: string) =>
      `이 주소로 ${name} 가입이 시도되었지만 이미 계정이 있습니다. 로그인해 주세요. 본인이 아니라면 아무것도 하지 않으셔도 됩니다.`,
  },
} as const;

/** The mails of the accounts feature in the reader's language. */
export interface MailWriter {
  registerCode(language: Caller['language'], code: string): MailText;
  /** To a member, in his language and with his word: somebody else may have asked. */
  alreadyRegistered(reader: Pick<SecurityMailFacts, 'language' | 'antiPhishing'>): MailText;
  /** A code for a phone: at most 70 characters, one text message in any alphabet. */
  textMessage(language: Caller['language'], code: string): string;
  /** The same for a number that has an account already. */
  registeredText(language: Caller['language']): string;
  /** The same as `security`, to the number of who has no mailbox. */
  securityText(event: SecurityEvent, facts: SecurityTextFacts): string;
  security(event: SecurityEvent, facts: SecurityMailFacts): MailText;
  /** To the new contact of who has lost everything: two of the staff have approved. The subject alone is a text message. */
  recoveryGoesOn(language: Caller['language'], link: string): MailText;
  /** To every contact that the account had until now, of the same. */
  recoveryNotices(contacts: readonly string[], facts: SecurityMailFacts): readonly Mail[];
  /** The same, where it came to nothing. */
  recoveryRefused(language: Caller['language']): MailText;
}

/** Makes the writer. @param productName as configured. */
export function mailWriter(productName: string): MailWriter {
  return {
    textMessage(language, code) {
      const tail = {
        en: 'valid 30 minutes. Tell it to nobody.',
        ja: '30分有効。誰にも教えないでください。',
        ko: '30분간 유효. 누구에게도 알리지 마세요.',
      };
      return `${productName.slice(0, 16)}: ${code}, ${tail[language]}`;
    },
    registeredText(language) {
      const tail = {
        en: 'this number already has an account. Please log in.',
        ja: 'この番号は登録済みです。ログインしてください。',
        ko: '이미 등록된 번호입니다. 로그인해 주세요.',
      };
      return `${productName.slice(0, 16)}: ${tail[language]}`;
    },
    recoveryGoesOn: (language, link) => recoveryGoesOn(productName, language, link),
    recoveryNotices: (contacts, facts) => recoveryNotices(productName, contacts, facts),
    recoveryRefused: (language) => recoveryRefused(productName, language),
    securityText: (event, facts) => securityText(productName, event, facts),
    security: (event, facts) => securityMail(productName, event, facts),
    registerCode(language, code) {
      const { subject, hello, says, never } = REGISTER_CODE[language];
      return {
        subject: `${productName} ${subject}: ${code}`,
        body: `${hello(productName)}\n\n${says}: ${code}\n\n${never(productName)}\n`,
      };
    },
    alreadyRegistered({ language, antiPhishing }) {
      const { subject, body } = ALREADY_REGISTERED[language];
      const parts = [...wordLine(language, antiPhishing), body(productName)];
      return { subject: `${productName}: ${subject}`, body: `${parts.join('\n\n')}\n` };
    },
  };
}
