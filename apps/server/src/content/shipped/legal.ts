import type { ContentText } from '../ports.ts';

/** The Terms of Service that come with the program: the operator replaces them with his own. */
export const TERMS: Readonly<Record<'en' | 'ja' | 'ko', ContentText>> = {
  en: {
    title: 'Terms of Service',
    summary: 'What {name} does for you, what you agree to, and what it cannot promise.',
    body: `**A note first.** These are the terms that the software comes with. Whoever runs this {name} is responsible for it and may publish terms of its own here; the version and date above say which ones are in force.

## 1. What you agree to
By registering you agree to these terms and to the [Privacy Policy](/privacy). The version that you agreed to is kept with your account.

## 2. The service
{name} shows the markets of several exchanges in one place, keeps a wallet for you and passes your orders on to the exchange that you choose. It is not itself an exchange and gives no advice. Where a platform is marked PAPER, markets, funds and orders there are simulated and have no value.

## 3. Your account
- One account for one person. You must be of age where you live and allowed to use such a service there.
- Keep your password and your codes to yourself. Nobody from {name} will ever ask for them.
- Tell the operator at once if somebody else may have had access.

## 4. Orders and funds
- An order that you confirm is yours. It can be filled at once and cannot be taken back once it is filled.
- What an order needs is set aside until its outcome is proved. If an exchange does not answer, the outcome is shown as unknown and the money stays set aside until it is known.
- The exchange's own rules, limits and fees apply besides. They are shown before you send an order.

## 5. Risks
Prices of crypto assets move fast, and you can lose everything that you put in. Contracts with leverage are closed by the exchange when their margin no longer suffices. Exchanges, networks and this service can fail or be out of reach when you need them.

## 6. What is not allowed
- Breaking the law, laundering money, or trading for somebody else without being allowed to.
- Manipulating a market, or trading with yourself.
- Attacking the service, or using other people's accounts.

## 7. When the service stops
The operator may pause or limit the service where the law, an exchange or its safety asks for it. Cancelling orders and closing positions stays possible as long as the exchange is in reach.

## 8. Liability
The software is provided as it is. As far as the law allows, the operator is liable only for intent and gross negligence.

## 9. Changes and end
New terms are published here with their date before they hold. You may close your account at any time once your orders and positions are closed.`,
  },
  ja: {
    title: '利用規約',
    summary: '{name} が提供すること、お客様に同意していただくこと、お約束できないこと。',
    body: `**はじめに。** これはソフトウェアに付属する規約です。この {name} の運営者が責任を負い、独自の規約をここに公開することがあります。効力のある版は上に記載の版と日付で確認できます。

## 1. 同意の内容
登録により、本規約と[プライバシーポリシー](/privacy)に同意したものとみなします。同意した版はアカウントとともに保存されます。

## 2. サービス
{name} は複数の取引所の市場を一か所に表示し、ウォレットを管理し、お客様が選んだ取引所に注文を取り次ぎます。{name} 自体は取引所ではなく、助言も行いません。PAPER と表示されたプラットフォームの市場、資金、注文はすべて模擬であり、価値はありません。

## 3. アカウント
- アカウントはお一人につき一つです。お住まいの地域で成年に達し、このようなサービスの利用が認められている必要があります。
- パスワードと認証コードは誰にも教えないでください。{name} の担当者がお尋ねすることは決してありません。
- 第三者が利用したおそれがあるときは、直ちに運営者にお知らせください。

## 4. 注文と資金
- 確認した注文はお客様の注文です。すぐに約定することがあり、約定後は取り消せません。
- 注文に必要な資金は、結果が証明されるまで確保されます。取引所が応答しないときは結果を「不明」と表示し、判明するまで資金を確保します。
- 取引所の規則、制限、手数料も適用されます。注文の送信前に表示されます。

## 5. リスク
暗号資産の価格は急激に変動し、投じた全額を失うことがあります。レバレッジのある契約は、証拠金が不足すると取引所により決済されます。取引所、ネットワーク、本サービスは、必要なときに利用できないことがあります。

## 6. 禁止事項
- 法令違反、資金洗浄、権限のない代理取引。
- 相場操縦、自己取引。
- サービスへの攻撃、他人のアカウントの使用。

## 7. サービスの停止
法令、取引所または安全上の理由により、運営者はサービスを停止または制限することがあります。取引所に接続できる限り、注文の取消しとポジションの決済は可能です。

## 8. 責任
ソフトウェアは現状のまま提供されます。法令の許す範囲で、運営者は故意または重大な過失についてのみ責任を負います。

## 9. 変更と終了
新しい規約は効力が生じる前に日付とともにここに公開されます。注文とポジションがなくなれば、いつでもアカウントを閉じることができます。`,
  },
  ko: {
    title: '이용약관',
    summary: '{name}이(가) 제공하는 것, 동의하시는 내용, 약속할 수 없는 것.',
    body: `**먼저 안내드립니다.** 이 약관은 소프트웨어에 포함된 것입니다. 이 {name}의 운영자가 책임을 지며 자체 약관을 여기에 게시할 수 있습니다. 효력이 있는 약관은 위의 버전과 날짜로 확인할 수 있습니다.

## 1. 동의 내용
가입하면 이 약관과 [개인정보 처리방침](/privacy)에 동의하게 됩니다. 동의하신 버전은 계정과 함께 보관됩니다.

## 2. 서비스
{name}은(는) 여러 거래소의 시장을 한곳에 보여 주고, 지갑을 관리하며, 선택하신 거래소로 주문을 전달합니다. {name} 자체는 거래소가 아니며 투자 조언을 하지 않습니다. PAPER로 표시된 플랫폼의 시장, 자금, 주문은 모두 모의이며 가치가 없습니다.

## 3. 계정
- 한 사람당 하나의 계정만 사용합니다. 거주지에서 성인이어야 하며 이러한 서비스를 이용할 수 있어야 합니다.
- 비밀번호와 인증 코드를 누구에게도 알려 주지 마십시오. {name}에서 이를 묻는 일은 절대 없습니다.
- 다른 사람이 접근했을 가능성이 있으면 즉시 운영자에게 알려 주십시오.

## 4. 주문과 자금
- 확인하신 주문은 본인의 주문입니다. 즉시 체결될 수 있으며 체결된 후에는 취소할 수 없습니다.
- 주문에 필요한 자금은 결과가 확인될 때까지 보류됩니다. 거래소가 응답하지 않으면 결과를 알 수 없음으로 표시하고, 확인될 때까지 자금을 보류합니다.
- 거래소의 규칙, 한도, 수수료도 적용되며 주문을 보내기 전에 표시됩니다.

## 5. 위험
암호자산의 가격은 급격히 변동하며 투자금 전부를 잃을 수 있습니다. 레버리지 계약은 증거금이 부족하면 거래소가 청산합니다. 거래소, 네트워크, 이 서비스는 필요할 때 이용하지 못할 수 있습니다.

## 6. 금지 사항
- 법률 위반, 자금 세탁, 권한 없는 대리 거래.
- 시세 조종, 자기 자신과의 거래.
- 서비스에 대한 공격, 다른 사람의 계정 사용.

## 7. 서비스 중단
법률, 거래소 또는 안전상의 이유로 운영자는 서비스를 중단하거나 제한할 수 있습니다. 거래소에 연결할 수 있는 한 주문 취소와 포지션 종료는 가능합니다.

## 8. 책임
소프트웨어는 있는 그대로 제공됩니다. 법률이 허용하는 범위에서 운영자는 고의 또는 중대한 과실에 대해서만 책임을 집니다.

## 9. 변경과 종료
새 약관은 효력이 생기기 전에 날짜와 함께 여기에 게시됩니다. 주문과 포지션이 모두 종료되면 언제든지 계정을 해지할 수 있습니다.`,
  },
};

/** The Privacy Policy that comes with the program. */
export const PRIVACY: Readonly<Record<'en' | 'ja' | 'ko', ContentText>> = {
  en: {
    title: 'Privacy Policy',
    summary: 'What {name} keeps about you, why, for how long, and who sees it.',
    body: `**A note first.** This policy describes what the software does. Whoever runs this {name} is responsible for your data and may publish a policy of its own here.

## What is kept
- **Your account**: e-mail address or mobile number, nickname, the country if you gave one, the referral code that you came with, and a hash of your password, never the password itself.
- **Your sign-ins**: time, network address and browser of each, so that you and the operator can notice a stranger.
- **Your money**: every order, fill, transfer and balance, as accounting needs it.
- **What you agreed to**: version, language, time and network address.
- **Decisions about security and money**: a log that nobody can change unnoticed.

## What for
To run the service that you asked for, to keep it safe, and to keep books as the law asks. Nothing is sold, and there is no advertising.

## How long
Codes live for 30 minutes. Ended sign-ins are deleted within 90 days. Accounting records, agreements and the log stay as long as the law asks.

## Who sees it
Exchanges get your orders under a number, not your name or address. Mails go through the operator's mail server. Nobody else gets anything, unless the law demands it.

## In your browser
One cookie keeps you logged in. Your token, language, theme, layouts and alert settings lie in the browser's own storage. There are no trackers and no cookies of others.

## Your rights
You may ask the operator what is kept about you, have it corrected, and have deleted what the law does not ask to keep.`,
  },
  ja: {
    title: 'プライバシーポリシー',
    summary: '{name} が保存する情報、その目的、期間、閲覧できる人。',
    body: `**はじめに。** 本ポリシーはソフトウェアの動作を説明するものです。この {name} の運営者がお客様の情報に責任を負い、独自のポリシーをここに公開することがあります。

## 保存する情報
- **アカウント**：メールアドレスまたは携帯電話番号、ニックネーム、登録された国、利用した紹介コード、パスワードのハッシュ（パスワードそのものは保存しません）。
- **ログイン**：日時、ネットワークアドレス、ブラウザー。見知らぬ利用に気づくためです。
- **資金**：会計に必要なすべての注文、約定、振替、残高。
- **同意**：版、言語、日時、ネットワークアドレス。
- **安全と資金に関する判断**：気づかれずに変更できない記録。

## 目的
ご依頼のサービスの提供、安全の確保、法令に基づく帳簿の作成のためです。情報の販売も広告もありません。

## 期間
認証コードは30分間有効です。終了したログインの記録は90日以内に削除します。会計記録、同意、判断の記録は法令の定める期間保存します。

## 閲覧できる人
取引所には番号だけで注文が渡り、お名前やアドレスは渡りません。メールは運営者のメールサーバーを経由します。法令による場合を除き、ほかの誰にも渡しません。

## ブラウザー内の情報
ログイン状態を保つクッキーが一つあります。トークン、言語、テーマ、レイアウト、通知の設定はブラウザーの保存領域にあります。追跡や第三者のクッキーはありません。

## お客様の権利
運営者に対し、保存されている情報の開示、訂正、および法令で保存が求められない情報の削除を求めることができます。`,
  },
  ko: {
    title: '개인정보 처리방침',
    summary: '{name}이(가) 보관하는 정보와 목적, 기간, 열람할 수 있는 사람.',
    body: `**먼저 안내드립니다.** 이 방침은 소프트웨어가 하는 일을 설명합니다. 이 {name}의 운영자가 개인정보에 책임을 지며 자체 방침을 여기에 게시할 수 있습니다.

## 보관하는 정보
- **계정**: 이메일 주소 또는 휴대전화 번호, 닉네임, 입력하신 국가, 사용한 추천 코드, 비밀번호의 해시. 비밀번호 자체는 보관하지 않습니다.
- **로그인**: 시각, 네트워크 주소, 브라우저. 낯선 사용을 알아차리기 위한 것입니다.
- **자금**: 회계에 필요한 모든 주문, 체결, 이체, 잔액.
- **동의**: 버전, 언어, 시각, 네트워크 주소.
- **보안과 자금에 관한 결정**: 몰래 바꿀 수 없는 기록.

## 목적
요청하신 서비스를 제공하고 안전하게 지키며 법률에 따라 장부를 기록하기 위한 것입니다. 정보를 판매하지 않으며 광고도 없습니다.

## 기간
인증 코드는 30분 동안 유효합니다. 종료된 로그인 기록은 90일 이내에 삭제됩니다. 회계 기록, 동의, 결정 기록은 법률이 정한 기간 동안 보관합니다.

## 열람할 수 있는 사람
거래소에는 번호로만 주문이 전달되며 이름이나 주소는 전달되지 않습니다. 메일은 운영자의 메일 서버를 거칩니다. 법률이 요구하는 경우를 제외하고 다른 누구에게도 제공하지 않습니다.

## 브라우저에 저장되는 것
로그인 상태를 유지하는 쿠키가 하나 있습니다. 토큰, 언어, 테마, 레이아웃, 알림 설정은 브라우저 저장소에 있습니다. 추적기나 제3자 쿠키는 없습니다.

## 이용자의 권리
운영자에게 보관 중인 정보의 열람과 정정, 법률상 보관할 필요가 없는 정보의 삭제를 요청할 수 있습니다.`,
  },
};
