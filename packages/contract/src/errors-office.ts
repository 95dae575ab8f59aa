/** The rows of the catalogue about the back office, in the order of the checks: code, name, text, when. */
export const OFFICE_ERRORS = [
  [
    6001,
    'role-missing',
    'Your role does not allow this.',
    'A call of the back office by an admin without a role for it; audited.',
  ],
  [
    6003,
    'four-eyes',
    'Somebody else has to decide this.',
    'The maker of a request approves it himself, in the same session, or in the same browser.',
  ],
  [
    6004,
    'subject-unknown',
    'There is no such entry.',
    'The back office asks about a member or a request that is not there.',
  ],
  [
    6005,
    'already-decided',
    'This has been decided, changed or has expired meanwhile.',
    'A request of the back office that waits no more, or does not fit what is there now.',
  ],
  [
    6006,
    'last-admin',
    'This is the last admin. Invite another one first.',
    'The role admin would be left to nobody.',
  ],
  [
    6007,
    'content-incomplete',
    'This cannot be published yet. Missing: {given}.',
    'A draft without title or body in one of three languages, or one that ends before it begins.',
  ],
  [
    6008,
    'demo-refused',
    'A demo admin may neither change admins or platforms, publish texts, nor see papers or write to their members.',
    'A demo admin changes admins or platforms, publishes, asks for a picture of papers, or adds a remark to a refusal.',
  ],
  [
    6009,
    'case-claimed',
    'Somebody else is at this case. It is free again when they are done, or 15 minutes after their last look.',
    'Papers that another reviewer has open are opened or decided; asked again before the decision is written.',
  ],
  [
    6010,
    'case-unseen',
    'Open this case first.',
    'Papers are decided by an admin who has not opened them, or has opened others since.',
  ],
] as const;
