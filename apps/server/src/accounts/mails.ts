import type { Caller } from '@crossbook/contract';
import type { MailText } from './ports.ts';
import { type SecurityEvent, type SecurityMailFacts, securityMail } from './security-mails.ts';

/** The mails of the accounts feature in the reader's language; Korean readers get English until it is translated. */
export interface MailWriter {
  registerCode(language: Caller['language'], code: string): MailText;
  alreadyRegistered(language: Caller['language']): MailText;
  /** A code for a phone: at most 70 characters, one text message in any alphabet. */
  textMessage(language: Caller['language'], code: string): string;
  /** The same for a number that has an account already. */
  registeredText(language: Caller['language']): string;
  /** The same to the number of who has a mailbox from now on. */
  emailBoundText(language: Caller['language']): string;
  /** A text message about a first second factor, to who has no mailbox. */
  factorBoundText(language: Caller['language']): string;
  security(event: SecurityEvent, facts: SecurityMailFacts): MailText;
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
    emailBoundText(language) {
      const tail = {
        en: 'an email address was bound to your account.',
        ja: 'アカウントにメールアドレスが登録されました。',
        ko: '계정에 이메일 주소가 등록되었습니다.',
      };
      return `${productName.slice(0, 16)}: ${tail[language]}`;
    },
    factorBoundText(language) {
      const tail = {
        en: '2nd factor added. Not you? Reset your password today.',
        ja: '第2要素が追加されました。心当たりがなければ24時間以内にパスワードを再設定してください。',
        ko: '2차 인증이 추가되었습니다. 본인이 아니면 24시간 내 비밀번호를 재설정하세요.',
      };
      return `${productName.slice(0, 14)}: ${tail[language]}`;
    },
    security: (event, facts) => securityMail(productName, event, facts),
    registerCode(language, code) {
      if (language === 'ja') {
        return {
          subject: `${productName} 認証コード: ${code}`,
          body: `${productName} へようこそ。\n\n認証コード: ${code}\n\n有効期限は30分です。このコードを誰にも教えないでください。心当たりがない場合は、このメールを破棄してください。\n`,
        };
      }
      return {
        subject: `${productName} verification code: ${code}`,
        body: `Welcome to ${productName}.\n\nYour verification code: ${code}\n\nIt is valid for 30 minutes. Nobody from ${productName} will ever ask you for it. If you did not ask for a code, ignore this mail.\n`,
      };
    },
    alreadyRegistered(language) {
      if (language === 'ja') {
        return {
          subject: `${productName}: このメールアドレスは登録済みです`,
          body: `このメールアドレスで ${productName} への登録が試みられましたが、既にアカウントがあります。ログインしてください。心当たりがない場合、対応は不要です。\n`,
        };
      }
      return {
        subject: `${productName}: this address already has an account`,
        body: `Somebody tried to sign up at ${productName} with this address, but it already has an account: please log in. If that was not you, there is nothing to do.\n`,
      };
    },
  };
}
