import type { ContentText } from '../ports.ts';

type Answer = Readonly<Record<'en' | 'ja' | 'ko', readonly [question: string, answer: string]>>;

/** Questions and answers by slug, in the order in which they are shown. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  'what-is-it': {
    en: [
      'What is {name}?',
      'One account, one wallet and one trading screen over several exchanges. Orders go to the exchange that you choose; what it answers is what you see.',
    ],
    ja: [
      '{name} とは何ですか？',
      '複数の取引所を一つのアカウント、一つのウォレット、一つの取引画面で使えるサービスです。注文はお客様が選んだ取引所に送られ、その応答がそのまま表示されます。',
    ],
    ko: [
      '{name}은(는) 무엇인가요?',
      '여러 거래소를 하나의 계정, 하나의 지갑, 하나의 거래 화면으로 이용하는 서비스입니다. 주문은 선택하신 거래소로 전달되고 그 응답이 그대로 표시됩니다.',
    ],
  },
  'open-account': {
    en: [
      'How do I open an account?',
      '[Sign up](/regist), confirm your address with the code that is sent to you (it is valid for 30 minutes), choose a password with at least 6 characters, including a number, an uppercase letter, a lowercase letter and a special character, and agree to the [Terms](/terms) and the [Privacy Policy](/privacy).',
    ],
    ja: [
      'アカウントはどのように作りますか？',
      '[登録](/regist)画面で、届いた認証コード（30分間有効）でアドレスを確認し、数字、英大文字、英小文字、記号を含む6文字以上のパスワードを設定して、[利用規約](/terms)と[プライバシーポリシー](/privacy)に同意してください。',
    ],
    ko: [
      '계정은 어떻게 만드나요?',
      '[가입](/regist) 화면에서 받은 인증 코드(30분간 유효)로 주소를 확인하고, 숫자, 영문 대문자, 영문 소문자, 특수문자를 포함한 6자 이상의 비밀번호를 정한 뒤 [이용약관](/terms)과 [개인정보 처리방침](/privacy)에 동의하십시오.',
    ],
  },
  'no-code': {
    en: [
      'The code does not arrive. What now?',
      'Look into the spam folder and check the address for a slip. Then ask for a new code: only the newest one works. Where play money is used, the sign-up page itself shows the mail.',
    ],
    ja: [
      '認証コードが届きません。',
      '迷惑メールフォルダーとアドレスの誤りを確認し、新しいコードを請求してください。有効なのは最新のコードだけです。模擬資金の環境では、登録画面にメールの内容が表示されます。',
    ],
    ko: [
      '인증 코드가 오지 않습니다.',
      '스팸함과 주소의 오타를 확인한 뒤 새 코드를 요청하십시오. 가장 최근 코드만 유효합니다. 모의 자금을 사용하는 곳에서는 가입 화면에 메일이 표시됩니다.',
    ],
  },
  'paper-or-real': {
    en: [
      'How do I see whether money is real?',
      'Where anything is simulated, the badge PAPER stands at the top of every page. Without it, orders and funds are real.',
    ],
    ja: [
      '本物のお金かどうかはどこで分かりますか？',
      '模擬のものがあるときは、すべてのページの上部に PAPER と表示されます。表示がなければ、注文も資金も本物です。',
    ],
    ko: [
      '실제 돈인지 어떻게 알 수 있나요?',
      '모의인 것이 있으면 모든 페이지 상단에 PAPER 표시가 있습니다. 표시가 없으면 주문과 자금은 실제입니다.',
    ],
  },
  'two-wallets': {
    en: [
      'Why are there two wallets?',
      'The funding wallet belongs to no exchange. What you trade with lies in the trading wallet of a platform. A [transfer](/wallet/TransferSub) moves money between them.',
    ],
    ja: [
      'ウォレットが二つあるのはなぜですか？',
      '資金ウォレットはどの取引所にも属しません。取引に使う資金は各プラットフォームの取引ウォレットにあります。[振替](/wallet/TransferSub)で移動します。',
    ],
    ko: [
      '지갑이 두 개인 이유는 무엇인가요?',
      '자금 지갑은 어느 거래소에도 속하지 않습니다. 거래에 쓰는 자금은 플랫폼별 거래 지갑에 있습니다. [이체](/wallet/TransferSub)로 옮깁니다.',
    ],
  },
  'transfer-time': {
    en: [
      'How long does a transfer take?',
      'Mostly seconds. Transfers to the first exchange can be delayed 0.5 to 1 hour; the history shows each with its state. Money under way belongs to you all the time.',
    ],
    ja: [
      '振替にはどれくらいかかりますか？',
      '通常は数秒です。第一の取引所への振替は0.5～1時間遅れることがあります。履歴に状態が表示されます。移動中の資金もお客様のものです。',
    ],
    ko: [
      '이체는 얼마나 걸리나요?',
      '대부분 몇 초입니다. 첫 번째 거래소로의 이체는 0.5~1시간 지연될 수 있습니다. 내역에 상태가 표시되며, 이동 중인 자금도 본인의 것입니다.',
    ],
  },
  fees: {
    en: [
      'What does trading cost?',
      'The fee of the exchange. The ticket shows it before you send an order, and the fills in the history show what was really charged.',
    ],
    ja: [
      '取引の費用はいくらですか？',
      '取引所の手数料です。注文の送信前に注文画面に表示され、実際の金額は履歴の約定で確認できます。',
    ],
    ko: [
      '거래 비용은 얼마인가요?',
      '거래소의 수수료입니다. 주문을 보내기 전에 주문 화면에 표시되며, 실제 부과된 금액은 내역의 체결에서 볼 수 있습니다.',
    ],
  },
  'unknown-order': {
    en: [
      'My order says "Unknown". Is my money lost?',
      'No. The exchange has not answered yet, so nobody knows whether the order was taken. Its money stays set aside, the order is looked up until its end is proved, and nothing is sent a second time.',
    ],
    ja: [
      '注文が「不明」と表示されます。お金は失われましたか？',
      'いいえ。取引所の応答がなく、注文が受け付けられたかがまだ分からない状態です。資金は確保されたまま、結果が証明されるまで照会され、再送信されることはありません。',
    ],
    ko: [
      '주문이 "알 수 없음"으로 표시됩니다. 돈을 잃은 건가요?',
      '아닙니다. 거래소가 아직 응답하지 않아 주문이 접수되었는지 알 수 없는 상태입니다. 자금은 보류된 채 결과가 확인될 때까지 조회되며, 두 번 전송되지 않습니다.',
    ],
  },
  'cancelled-money': {
    en: [
      'I cancelled an order. Why is its money not free at once?',
      'It becomes free as soon as the exchange has proved that nothing more of the order was filled. That takes a moment, so that a late fill never finds an empty wallet.',
    ],
    ja: [
      '注文を取り消したのに、資金がすぐに戻らないのはなぜですか？',
      'それ以上約定していないことを取引所が証明すると、すぐに解放されます。遅れて届く約定に備え、少し時間がかかります。',
    ],
    ko: [
      '주문을 취소했는데 왜 자금이 바로 풀리지 않나요?',
      '더 이상 체결된 것이 없음을 거래소가 확인하면 바로 풀립니다. 늦게 도착하는 체결에 대비해 잠시 시간이 걸립니다.',
    ],
  },
  leverage: {
    en: [
      'What does leverage do?',
      'It lets a small margin carry a large position, and multiplies losses as much as profits. When the margin no longer suffices, the exchange closes the position. The ticket shows an estimate of that price before you send.',
    ],
    ja: [
      'レバレッジとは何ですか？',
      '少ない証拠金で大きなポジションを持てますが、利益も損失も拡大します。証拠金が不足すると、取引所がポジションを決済します。その価格の目安は送信前に注文画面に表示されます。',
    ],
    ko: [
      '레버리지는 무엇인가요?',
      '적은 증거금으로 큰 포지션을 가질 수 있지만 이익과 손실이 모두 커집니다. 증거금이 부족해지면 거래소가 포지션을 청산합니다. 그 예상 가격은 보내기 전에 주문 화면에 표시됩니다.',
    ],
  },
  export: {
    en: [
      'Can I take my records with me?',
      'Yes. Every list of the [history](/history/spot_trading_overview) can be saved as CSV for a spreadsheet or the tax office.',
    ],
    ja: [
      '記録を持ち出せますか？',
      'はい。[履歴](/history/spot_trading_overview)のすべての一覧は CSV で保存でき、表計算や税務に使えます。',
    ],
    ko: [
      '기록을 내려받을 수 있나요?',
      '예. [내역](/history/spot_trading_overview)의 모든 목록은 CSV로 저장하여 스프레드시트나 세무 신고에 사용할 수 있습니다.',
    ],
  },
  safety: {
    en: [
      'How do I keep my account safe?',
      'Use a password that you use nowhere else, never pass on a code, and check the address in the browser before you log in. Nobody from {name} asks for passwords, codes or remote access.',
    ],
    ja: [
      'アカウントを安全に保つには？',
      'ほかで使っていないパスワードを使い、認証コードを誰にも渡さず、ログイン前にブラウザーのアドレスを確認してください。{name} がパスワード、認証コード、遠隔操作を求めることはありません。',
    ],
    ko: [
      '계정을 안전하게 지키려면?',
      '다른 곳에서 쓰지 않는 비밀번호를 사용하고, 인증 코드를 누구에게도 알려 주지 말고, 로그인하기 전에 브라우저의 주소를 확인하십시오. {name}에서는 비밀번호, 코드, 원격 접속을 요구하지 않습니다.',
    ],
  },
};

function textOf([title, body]: readonly [string, string]): ContentText {
  return { title, summary: '', body };
}

/** Slug and texts of every question, in order. */
export const QUESTIONS: readonly (readonly [
  slug: string,
  texts: Readonly<Record<'en' | 'ja' | 'ko', ContentText>>,
])[] = Object.entries(ANSWERS).map(([slug, { en, ja, ko }]) => [
  slug,
  { en: textOf(en), ja: textOf(ja), ko: textOf(ko) },
]);
