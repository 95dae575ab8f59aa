import type { Caller } from '@crossbook/contract';
import type { Mail, MailText } from './ports.ts';
import { RECOVERY_DUE_DAYS_MAX, RECOVERY_WAIT_HOURS } from './recovery-ports.ts';
import { type SecurityMailFacts, securityMail, securityText } from './security-mails.ts';

type Language = Caller['language'];

const GOES_ON: Readonly<Record<Language, string>> = {
  en: `you can be let into your account again in ${RECOVERY_WAIT_HOURS} hours`,
  ja: `${RECOVERY_WAIT_HOURS}時間後にアカウントを復旧できます`,
  ko: `${RECOVERY_WAIT_HOURS}시간 후 계정을 복구할 수 있습니다`,
};

const HOW: Readonly<Record<Language, (link: string) => string>> = {
  en: (link) =>
    `After that, and within ${RECOVERY_DUE_DAYS_MAX} days, finish it here with a code to this contact and the password of the account:\n${link}\n\nLogging in before then stops it. If you did not ask for this, there is nothing to do.`,
  ja: (link) =>
    `その後${RECOVERY_DUE_DAYS_MAX}日以内に、この連絡先に届くコードとアカウントのパスワードで、こちらから完了してください:\n${link}\n\nそれまでにログインすると中止されます。心当たりがない場合、対応は不要です。`,
  ko: (link) =>
    `그 후 ${RECOVERY_DUE_DAYS_MAX}일 이내에 이 연락처로 받은 코드와 계정 비밀번호로 여기에서 완료해 주세요:\n${link}\n\n그 전에 로그인하면 중단됩니다. 요청하지 않으셨다면 아무것도 하지 않으셔도 됩니다.`,
};

const REFUSED: Readonly<Record<Language, readonly [title: string, text: string]>> = {
  en: [
    'you could not be let into your account again',
    'What was stated did not prove whose the account is. You may ask again.',
  ],
  ja: [
    'アカウントの復旧は承認されませんでした',
    'ご申告の内容では、アカウントの所有者であることを確認できませんでした。もう一度申請できます。',
  ],
  ko: [
    '계정 복구가 승인되지 않았습니다',
    '제출하신 내용으로 계정의 소유자임을 확인할 수 없었습니다. 다시 요청하실 수 있습니다.',
  ],
};

function mail(productName: string, title: string, text: string): MailText {
  const subject = `${productName}: ${title}`;
  return { subject, body: `${subject}\n\n${text}\n` };
}

/** To the new contact of who has lost everything: two of the staff have approved, and the waiting time runs. */
export function recoveryGoesOn(productName: string, language: Language, link: string): MailText {
  return mail(productName, GOES_ON[language], HOW[language](link));
}

/** To the new contact: it came to nothing. */
export function recoveryRefused(productName: string, language: Language): MailText {
  return mail(productName, ...REFUSED[language]);
}

/** To a number as a text message, to a mailbox as a mail. */
export function letterTo(to: string, text: MailText, short: string): Mail {
  return to.startsWith('+') ? { to, subject: 'SMS', body: short } : { to, ...text };
}

/** Every contact that an account has is told that two of the staff let another one in, with the link that stops it. */
export function recoveryNotices(
  productName: string,
  contacts: readonly string[],
  facts: SecurityMailFacts,
): readonly Mail[] {
  const notice = securityMail(productName, 'recovery-waiting', facts);
  const short = securityText(productName, 'recovery-waiting', facts);
  return contacts.map((to) => letterTo(to, notice, short));
}
