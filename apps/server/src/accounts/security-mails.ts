import type { Caller } from '@crossbook/contract';
import type { MailText } from './ports.ts';

type Language = Caller['language'];

/** What a mail about security tells. */
export type SecurityEvent =
  | 'log-in-code'
  | 'recover-code'
  | 'unfreeze-code'
  | 'modify-new-code'
  | 'modify-old-code'
  | 'new-device'
  | 'password-changed'
  | 'password-reset'
  | 'email-changed'
  | 'email-bound'
  | 'mobile-bound'
  | 'mobile-changed'
  | 'otp-reset-code'
  | 'otp-reset-waiting'
  | 'otp-reset-done'
  | 'otp-bound'
  | 'otp-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-made'
  | 'recovery-code-used'
  /** So many wrong codes of an authenticator after the right password that somebody else must have it. */
  | 'password-known'
  | 'sessions-ended'
  | 'profile-changed'
  | 'provider-linked'
  | 'provider-unlinked'
  | 'frozen'
  | 'unfrozen'
  | 'regain-code'
  | 'recovery-asked'
  | 'recovery-waiting'
  | 'recovery-done';

/** What a mail says besides its event. */
export interface SecurityMailFacts {
  readonly language: Language;
  /** The word the member chose: who writes it knows the member. */
  readonly antiPhishing?: string | undefined;
  readonly code?: string;
  /** "This was not me." */
  readonly freezeLink?: string;
  /** Where it was done: shown as it is; empty where staff did it. */
  readonly address: string;
  readonly at: string;
}

const TITLES: Readonly<Record<SecurityEvent, readonly [en: string, ja: string, ko: string]>> = {
  'log-in-code': ['log-in code', 'ログインコード', '로그인 코드'],
  'recover-code': ['code for a new password', 'パスワード再設定コード', '비밀번호 재설정 코드'],
  'unfreeze-code': ['code to open your account again', 'アカウント凍結解除コード', '계정 동결 해제 코드'],
  'modify-new-code': [
    'code for your new address',
    '新しいメールアドレスの確認コード',
    '새 이메일 주소 확인 코드',
  ],
  'modify-old-code': ['code to change your address', 'メールアドレス変更コード', '이메일 주소 변경 코드'],
  'new-device': ['log-in from a new browser', '新しいブラウザからのログイン', '새 브라우저에서 로그인'],
  'password-changed': [
    'your password was changed',
    'パスワードが変更されました',
    '비밀번호가 변경되었습니다',
  ],
  'password-reset': [
    'your password was set anew',
    'パスワードが再設定されました',
    '비밀번호가 재설정되었습니다',
  ],
  'email-changed': [
    'your address was changed',
    'メールアドレスが変更されました',
    '이메일 주소가 변경되었습니다',
  ],
  'email-bound': [
    'an email address was bound to your account',
    'メールアドレスがアカウントに登録されました',
    '이메일 주소가 계정에 등록되었습니다',
  ],
  'mobile-bound': [
    'a mobile number was bound',
    '携帯電話番号が登録されました',
    '휴대폰 번호가 등록되었습니다',
  ],
  'mobile-changed': [
    'your mobile number was changed',
    '携帯電話番号が変更されました',
    '휴대폰 번호가 변경되었습니다',
  ],
  'otp-reset-code': ['code to reset your authenticator', '認証アプリのリセットコード', '인증 앱 재설정 코드'],
  'otp-reset-waiting': [
    'your authenticator and passkeys will not be asked for any more in 24 hours',
    '24時間後に認証アプリとパスキーが解除されます',
    '24시간 후 인증 앱과 패스키가 해제됩니다',
  ],
  'otp-reset-done': [
    'your authenticator and passkeys are not asked for any more',
    '認証アプリとパスキーが解除されました',
    '인증 앱과 패스키가 해제되었습니다',
  ],
  'otp-bound': ['your authenticator is on', '認証アプリが有効になりました', '인증 앱이 활성화되었습니다'],
  'otp-removed': ['your authenticator is off', '認証アプリが解除されました', '인증 앱이 해제되었습니다'],
  'passkey-added': ['a passkey was added', 'パスキーが追加されました', '패스키가 추가되었습니다'],
  'passkey-removed': ['a passkey was removed', 'パスキーが削除されました', '패스키가 삭제되었습니다'],
  'recovery-codes-made': [
    'new recovery codes were made',
    '新しいリカバリーコードが発行されました',
    '새 복구 코드가 발급되었습니다',
  ],
  'recovery-code-used': [
    'a recovery code was used to log in',
    'リカバリーコードでログインがありました',
    '복구 코드로 로그인했습니다',
  ],
  'password-known': [
    'somebody else seems to know your password',
    'パスワードが他人に知られているおそれがあります',
    '다른 사람이 비밀번호를 알고 있는 것 같습니다',
  ],
  'sessions-ended': [
    'other sessions were ended',
    '他のセッションを終了しました',
    '다른 세션이 종료되었습니다',
  ],
  'profile-changed': ['your profile was changed', 'プロフィールが変更されました', '프로필이 변경되었습니다'],
  'provider-linked': [
    'a log-in of another service was linked',
    '他のサービスのログインが連携されました',
    '다른 서비스의 로그인이 연결되었습니다',
  ],
  'provider-unlinked': [
    'the log-in of another service was unlinked',
    '他のサービスのログインの連携が解除されました',
    '다른 서비스의 로그인 연결이 해제되었습니다',
  ],
  'regain-code': [
    'code to be let into your account again',
    'アカウント復旧のための確認コード',
    '계정 복구 확인 코드',
  ],
  'recovery-asked': [
    'somebody who knows your password asks our staff to let another contact open your account',
    'パスワードを知る人物が、別の連絡先でのアカウント復旧を運営に申請しました',
    '비밀번호를 아는 사람이 다른 연락처로 계정을 복구해 달라고 요청했습니다',
  ],
  'recovery-waiting': [
    'in 72 hours another contact takes the place of yours, and your second factors are removed',
    '72時間後に別の連絡先へ変更され、二段階認証が解除されます',
    '72시간 후 다른 연락처로 바뀌고 2단계 인증이 해제됩니다',
  ],
  'recovery-done': [
    'another contact opens your account now; its second factors were removed',
    '別の連絡先に変更され、二段階認証が解除されました',
    '다른 연락처로 바뀌었고 2단계 인증이 해제되었습니다',
  ],
  frozen: ['your account is frozen', 'アカウントが凍結されました', '계정이 동결되었습니다'],
  unfrozen: ['your account is open again', 'アカウントの凍結が解除されました', '계정 동결이 해제되었습니다'],
};

/** All of them. */
export const SECURITY_EVENTS = Object.keys(TITLES) as SecurityEvent[];

const WORDS = {
  en: {
    word: (text: string) => `Your word: ${text}`,
    code: (text: string) => `Your code: ${text}\nIt is valid for 30 minutes.`,
    where: (address: string, at: string) => `When: ${at}${address === '' ? '' : `\nFrom: ${address}`}`,
    freeze: (link: string) => `If this was not you, freeze your account here:\n${link}`,
    young:
      'Within 24 hours of your first authenticator or passkey the link also takes it off, so that you can get in without it.',
    never: 'We never ask for codes, passwords or access to your machine.',
  },
  ja: {
    word: (text: string) => `あなたの合言葉: ${text}`,
    code: (text: string) => `認証コード: ${text}\n有効期限は30分です。`,
    where: (address: string, at: string) => `日時: ${at}${address === '' ? '' : `\n接続元: ${address}`}`,
    freeze: (link: string) => `心当たりがない場合は、こちらからアカウントを凍結してください:\n${link}`,
    young:
      '最初の認証アプリまたはパスキーの登録から24時間以内であれば、このリンクでその登録も解除され、それなしで再びログインできます。',
    never: '認証コードやパスワード、端末の操作権限をお尋ねすることはありません。',
  },
  ko: {
    word: (text: string) => `나의 단어: ${text}`,
    code: (text: string) => `인증 코드: ${text}\n30분 동안 유효합니다.`,
    where: (address: string, at: string) => `일시: ${at}${address === '' ? '' : `\n접속 위치: ${address}`}`,
    freeze: (link: string) => `본인이 아니라면 여기에서 계정을 동결해 주세요:\n${link}`,
    young:
      '첫 인증 앱이나 패스키를 등록한 지 24시간 이내라면 이 링크로 그 등록도 해제되어, 그것 없이 다시 로그인할 수 있습니다.',
    never: '저희는 코드, 비밀번호, 기기 접근 권한을 절대 요구하지 않습니다.',
  },
} as const;

/** The first line of whatever is mailed to a member who chose a word: who writes it knows the member. */
export function wordLine(language: Language, antiPhishing: string | undefined): readonly string[] {
  return antiPhishing === undefined ? [] : [WORDS[language].word(antiPhishing)];
}

/** After these the link may be all that gets the owner in again. */
export const FACTOR_EVENTS: readonly SecurityEvent[] = ['otp-bound', 'passkey-added'];

const PLACE = { en: 0, ja: 1, ko: 2 } as const;

/** A mail about security: the member's word first, what happened, where and when, and the way to stop it. */
export function securityMail(productName: string, event: SecurityEvent, facts: SecurityMailFacts): MailText {
  const words = WORDS[facts.language];
  const title = TITLES[event][PLACE[facts.language]];
  const parts = [
    ...wordLine(facts.language, facts.antiPhishing),
    `${productName}: ${title}`,
    ...(facts.code === undefined ? [] : [words.code(facts.code)]),
    words.where(facts.address, facts.at),
    ...(facts.freezeLink === undefined ? [] : [words.freeze(facts.freezeLink)]),
    ...(facts.freezeLink !== undefined && FACTOR_EVENTS.includes(event) ? [words.young] : []),
    words.never,
  ];
  const subject = `${productName}: ${title}${facts.code === undefined || facts.code.length > 4 ? '' : ` ${facts.code}`}`;
  return { subject, body: `${parts.join('\n\n')}\n` };
}

/** What a text message about security says besides its event. */
export type SecurityTextFacts = Pick<SecurityMailFacts, 'language' | 'freezeLink'>;

const FREEZE_BY_TEXT = {
  en: { any: 'Not you? Freeze it:', young: 'Not you? Freeze it within 24 hours:' },
  ja: { any: '心当たりがなければ凍結:', young: '心当たりがなければ24時間以内に凍結:' },
  ko: { any: '본인이 아니면 동결:', young: '본인이 아니면 24시간 내 동결:' },
} as const;

const STOP = { en: '.', ja: '。', ko: '.' } as const;
const NAME_LETTERS_MAX = 16;

/** A text message about security: what happened, and the way to stop it. Words alone it fits two messages of any alphabet. */
export function securityText(productName: string, event: SecurityEvent, facts: SecurityTextFacts): string {
  const { language, freezeLink } = facts;
  const title = TITLES[event][PLACE[language]];
  const says = `${productName.slice(0, NAME_LETTERS_MAX)}: ${title}${STOP[language]}`;
  if (freezeLink === undefined) return says;
  return `${says} ${FREEZE_BY_TEXT[language][FACTOR_EVENTS.includes(event) ? 'young' : 'any']} ${freezeLink}`;
}
