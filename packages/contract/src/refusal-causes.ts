import type { RefusalCause } from '@crossbook/domain';

/** What an exchange refused for, in the languages of the pages: the end of a sentence, or one by itself. */
const CAUSE_TEXTS: Readonly<
  Record<RefusalCause, { readonly en: string; readonly ja: string; readonly ko: string }>
> = {
  'balance-insufficient': {
    en: 'Your Available Balance is insufficient.',
    ja: '利用可能残高が不足しています。',
    ko: '사용 가능한 잔액이 부족합니다.',
  },
  'price-band': {
    en: 'The price is outside of what the exchange takes now.',
    ja: '取引所が現在受け付ける価格の範囲外です。',
    ko: '거래소가 지금 받는 가격 범위를 벗어났습니다.',
  },
  'tier-exceeded': {
    en: 'The position would be larger than this leverage allows.',
    ja: 'このレバレッジで保有できる量を超えます。',
    ko: '이 레버리지에서 보유할 수 있는 크기를 넘습니다.',
  },
  'nothing-to-reduce': {
    en: 'There is no position to reduce.',
    ja: '減らせるポジションがありません。',
    ko: '줄일 포지션이 없습니다.',
  },
  'close-too-large': {
    en: 'Less than that can be closed: the rest is in closing orders.',
    ja: '決済できる量を超えています。残りは決済注文に入っています。',
    ko: '청산할 수 있는 양을 넘습니다. 나머지는 청산 주문에 들어 있습니다.',
  },
  'post-only-crosses': {
    en: 'Post-only: it would have filled at once.',
    ja: 'Post-only: すぐに約定する注文でした。',
    ko: 'Post-only: 바로 체결될 주문이었습니다.',
  },
  'trigger-now': {
    en: 'It would have fired at once: the price is already on the other side of its trigger.',
    ja: 'すぐに発動します。価格はすでにトリガーの反対側にあります。',
    ko: '바로 발동됩니다. 가격이 이미 트리거의 반대쪽에 있습니다.',
  },
  'algo-limit': {
    en: 'The exchange takes no more conditional orders here.',
    ja: '取引所はここでこれ以上の条件付き注文を受け付けません。',
    ko: '거래소가 여기서 더 이상 조건부 주문을 받지 않습니다.',
  },
  'order-limit': {
    en: 'As many orders wait there as may: cancel some first.',
    ja: '取引所で待機できる注文数の上限です。先にいくつか取り消してください。',
    ko: '거래소에 대기할 수 있는 주문 수의 한도입니다. 먼저 몇 개를 취소하세요.',
  },
  'lower-leverage-isolated': {
    en: 'Isolated leverage is not lowered under a position: add margin instead.',
    ja: 'ポジションがある間、分離マージンのレバレッジは下げられません。証拠金を追加してください。',
    ko: '포지션이 있는 동안 격리 레버리지는 낮출 수 없습니다. 증거금을 추가하세요.',
  },
  'mode-blocked': {
    en: 'Open orders or positions prevent it.',
    ja: '未約定の注文またはポジションが妨げています。',
    ko: '미체결 주문이나 포지션이 막고 있습니다.',
  },
  'order-gone': {
    en: 'It is filled or cancelled already.',
    ja: 'すでに約定または取消済みです。',
    ko: '이미 체결되었거나 취소되었습니다.',
  },
  'rate-limit': {
    en: 'The exchange takes no more at the moment. Please try again.',
    ja: '取引所は現在これ以上受け付けていません。もう一度お試しください。',
    ko: '거래소가 지금은 더 받지 않습니다. 다시 시도해 주세요.',
  },
  countdown: {
    en: 'The exchange had not heard of us for so long that its countdown cancelled it, as you have set.',
    ja: '設定どおり、当サービスからの応答が途絶えたため、取引所のカウントダウンにより取り消されました。',
    ko: '설정하신 대로, 저희 응답이 끊겨 거래소의 카운트다운으로 취소되었습니다.',
  },
};

/** Why an exchange refused, in words of ours. */
export function causeText(cause: RefusalCause, language: 'en' | 'ja' | 'ko'): string {
  return CAUSE_TEXTS[cause][language];
}
