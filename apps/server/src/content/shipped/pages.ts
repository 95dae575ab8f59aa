import type { ContentText } from '../ports.ts';

type Texts = Readonly<Record<'en' | 'ja' | 'ko', ContentText>>;

/** /support */
export const SUPPORT: Texts = {
  en: {
    title: 'Support',
    summary: 'Answers first, then a person.',
    body: `Most questions are answered below. If yours is not, write to whoever gave you the address of this {name}: the operator can look up an order, a transfer or a sign-in by its number.

## Before you write
- Note the order's or transfer's id from the history, and the time.
- Say what you did, what you expected and what you saw.
- A screenshot helps. Cover balances that you do not want to show.

## What we never ask for
**Passwords, codes, keys or remote access to your computer.** Whoever asks for them is not from {name}.`,
  },
  ja: {
    title: 'サポート',
    summary: 'まずはよくある質問、次に担当者へ。',
    body: `ほとんどのご質問は下に回答があります。見つからないときは、この {name} のアドレスを案内した運営者にご連絡ください。運営者は注文、振替、ログインを番号で調べることができます。

## ご連絡の前に
- 履歴に表示される注文または振替の ID と日時を控えてください。
- 行った操作、期待した結果、実際の結果をお知らせください。
- 画面の写しがあると役立ちます。見せたくない残高は隠してください。

## お尋ねしないこと
**パスワード、認証コード、鍵、パソコンの遠隔操作を求めることは決してありません。** 求める人は {name} の担当者ではありません。`,
  },
  ko: {
    title: '고객지원',
    summary: '먼저 자주 묻는 질문, 그다음 담당자.',
    body: `대부분의 질문은 아래에 답이 있습니다. 찾지 못하셨다면 이 {name}의 주소를 알려 준 운영자에게 문의하십시오. 운영자는 주문, 이체, 로그인을 번호로 조회할 수 있습니다.

## 문의하기 전에
- 내역에 표시된 주문 또는 이체의 ID와 시각을 적어 두십시오.
- 하신 작업, 기대한 결과, 실제 결과를 알려 주십시오.
- 화면 캡처가 도움이 됩니다. 보이고 싶지 않은 잔액은 가려 주십시오.

## 절대 요구하지 않는 것
**비밀번호, 인증 코드, 키, 컴퓨터 원격 접속을 요구하지 않습니다.** 요구하는 사람은 {name} 담당자가 아닙니다.`,
  },
};

/** /community */
export const COMMUNITY: Texts = {
  en: {
    title: 'Community',
    summary: 'Where members of {name} meet.',
    body: `The operator of this {name} has named no messaging group and no social network page yet. When there is one, the links in the footer lead there.

Until then:
- What is new stands in the [announcements](/announcements).
- What is on stands in the [events](/event).
- Bring friends with your own code: [self-referral](/dashboard/self_referral).

Beware of groups that use the name of {name}: what this page and the footer do not link to is not ours.`,
  },
  ja: {
    title: 'コミュニティ',
    summary: '{name} のメンバーが集まる場所。',
    body: `この {name} の運営者は、メッセージグループやソーシャルネットワークのページをまだ指定していません。用意されると、フッターのリンクから開けます。

それまでは次をご覧ください。
- 新しい情報は[お知らせ](/announcements)にあります。
- 開催中の企画は[イベント](/event)にあります。
- ご自身のコードで友だちを招待できます：[紹介プログラム](/dashboard/self_referral)。

{name} の名をかたるグループにご注意ください。このページとフッターにないリンクは当方のものではありません。`,
  },
  ko: {
    title: '커뮤니티',
    summary: '{name} 회원이 모이는 곳.',
    body: `이 {name}의 운영자는 아직 메신저 그룹이나 소셜 네트워크 페이지를 지정하지 않았습니다. 마련되면 하단의 링크로 연결됩니다.

그때까지는 다음을 참고하십시오.
- 새로운 소식은 [공지사항](/announcements)에 있습니다.
- 진행 중인 행사는 [이벤트](/event)에 있습니다.
- 본인의 코드로 친구를 초대하십시오: [추천 프로그램](/dashboard/self_referral).

{name}의 이름을 사칭하는 그룹에 주의하십시오. 이 페이지와 하단에 없는 링크는 저희 것이 아닙니다.`,
  },
};

/** The first announcement. */
export const OPEN: Texts = {
  en: {
    title: '{name} is open',
    summary: 'One account, one wallet and one terminal over several exchanges.',
    body: `{name} runs. You can follow the [markets](/market) without an account; with one you trade on every open platform from the same wallet.

- New here? The [events](/event) begin with a short tour where play money is used.
- Something unclear? [Support](/support) has the answers that people ask for most.
- Before you register, read the [Terms](/terms) and the [Privacy Policy](/privacy).`,
  },
  ja: {
    title: '{name} を公開しました',
    summary: '一つのアカウント、一つのウォレット、一つの画面で複数の取引所へ。',
    body: `{name} が稼働しています。[マーケット](/market)はアカウントなしで閲覧できます。アカウントがあれば、同じウォレットから利用可能なすべてのプラットフォームで取引できます。

- 初めての方へ：模擬資金を使う環境では、[イベント](/event)に短い案内があります。
- ご不明な点は[サポート](/support)をご覧ください。よくある質問への回答があります。
- 登録の前に[利用規約](/terms)と[プライバシーポリシー](/privacy)をお読みください。`,
  },
  ko: {
    title: '{name}이(가) 열렸습니다',
    summary: '하나의 계정, 하나의 지갑, 하나의 화면으로 여러 거래소를.',
    body: `{name}이(가) 운영 중입니다. [마켓](/market)은 계정 없이 볼 수 있으며, 계정이 있으면 같은 지갑으로 열려 있는 모든 플랫폼에서 거래할 수 있습니다.

- 처음이신가요? 모의 자금을 사용하는 곳에서는 [이벤트](/event)에 짧은 안내가 있습니다.
- 궁금한 점은 [고객지원](/support)에서 자주 묻는 질문을 확인하십시오.
- 가입하기 전에 [이용약관](/terms)과 [개인정보 처리방침](/privacy)을 읽어 주십시오.`,
  },
};

/** The first event; only where money is play money. */
export const FIRST_STEPS: Texts = {
  en: {
    title: 'First steps with test funds',
    summary:
      'A tour of ten minutes: from an empty wallet to your first filled order. No real money is involved.',
    body: `Everything here is simulated, so nothing can be lost. Nothing can be won either: there is no prize but knowing your way.

## The tour
1. [Sign up](/regist) with an e-mail address.
2. Open the [wallet](/wallet/WalletOverviewSub) and take test funds. They arrive in your funding wallet.
3. Move some to a platform with a [transfer](/wallet/TransferSub).
4. Choose a market from the [list](/market) and send a small order.
5. Look it up in the [history](/history/spot_trading_overview): price, fee, and what became of it.

## Then
Try the same coin at another exchange and compare price and fee. Cancel an order that rests in the book and watch its money become free again.`,
  },
  ja: {
    title: 'テスト資金で始める',
    summary: '10分の案内：空のウォレットから最初の約定まで。本物のお金は使いません。',
    body: `ここではすべてが模擬ですので、失うものはありません。得るものも、使い方が分かること以外にありません。

## 手順
1. メールアドレスで[登録](/regist)します。
2. [ウォレット](/wallet/WalletOverviewSub)を開き、テスト資金を受け取ります。資金ウォレットに入ります。
3. [振替](/wallet/TransferSub)で一部をプラットフォームに移します。
4. [一覧](/market)から市場を選び、少額の注文を出します。
5. [履歴](/history/spot_trading_overview)で価格、手数料、結果を確認します。

## その次に
同じコインを別の取引所でも試し、価格と手数料を比べてみてください。板に残る注文を取り消すと、資金が再び使えるようになります。`,
  },
  ko: {
    title: '테스트 자금으로 시작하기',
    summary: '10분 안내: 빈 지갑에서 첫 체결까지. 실제 돈은 쓰이지 않습니다.',
    body: `여기서는 모든 것이 모의이므로 잃을 것이 없습니다. 사용법을 익히는 것 외에 얻는 상금도 없습니다.

## 순서
1. 이메일 주소로 [가입](/regist)합니다.
2. [지갑](/wallet/WalletOverviewSub)을 열고 테스트 자금을 받습니다. 자금 지갑에 들어옵니다.
3. [이체](/wallet/TransferSub)로 일부를 플랫폼으로 옮깁니다.
4. [목록](/market)에서 시장을 골라 소액 주문을 보냅니다.
5. [내역](/history/spot_trading_overview)에서 가격, 수수료, 결과를 확인합니다.

## 그다음
같은 코인을 다른 거래소에서도 거래해 보고 가격과 수수료를 비교해 보십시오. 호가창에 남은 주문을 취소하면 자금이 다시 풀립니다.`,
  },
};
