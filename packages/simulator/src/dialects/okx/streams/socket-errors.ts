/** A refusal on a socket (OKX v5 guide, "WebSocket" of the error codes, 2026). */
export interface SocketError {
  readonly code: string;
  readonly msg: string;
}

/** Those without a parameter. */
export const SOCKET_ERRORS = {
  badTimestamp: { code: '60004', msg: 'Invalid timestamp' },
  badKey: { code: '60005', msg: 'Invalid apiKey' },
  timestampExpired: { code: '60006', msg: 'Timestamp request expired' },
  badSign: { code: '60007', msg: 'Invalid sign' },
  loginFailed: { code: '60009', msg: 'Login failed.' },
  notLoggedIn: { code: '60011', msg: 'Please log in' },
  badArguments: { code: '60013', msg: 'Invalid args' },
  tooMany: { code: '60014', msg: 'Requests too frequent' },
  otherAccount: { code: '60010', msg: 'You are already logged in' },
  badPassphrase: { code: '60024', msg: 'Wrong passphrase' },
  otherUrl: {
    code: '60028',
    msg: 'The current operation is not supported by this URL. Please use the correct WebSocket URL for the operation.',
  },
  feeTier: {
    code: '64003',
    msg: "Your trading fee tier doesn't meet the requirement to access this channel",
  },
  vip5: {
    code: '60029',
    msg: 'Only users who are VIP5 and above in trading fee tier are allowed to subscribe to this channel',
  },
} as const satisfies Record<string, SocketError>;

/** 60012 with what was sent. */
export function invalidRequest(text: string): SocketError {
  return { code: '60012', msg: `Invalid request: ${text.slice(0, 500)}` };
}

/** 60018: no such channel here, or no such instrument. */
export function noChannel(argument: { readonly channel: string; readonly instId?: string }): SocketError {
  const named = argument.instId === undefined ? '' : `,instId:${argument.instId}`;
  return {
    code: '60018',
    msg: `Wrong URL or channel:${argument.channel}${named} doesn't exist. Please use the correct URL, channel and parameters referring to API document.`,
  };
}

/** 60027: something that must be there is not. */
export function cannotBeEmpty(name: string): SocketError {
  return { code: '60027', msg: `Parameter ${name} can not be empty` };
}
