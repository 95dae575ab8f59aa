import type { Incident } from '../../intents/intent.ts';

/** A mail to whoever runs this installation. */
export interface OperatorMail {
  readonly subject: string;
  readonly body: string;
}

/** What the operator reads of an incident: what is known and what can be done. */
export function incidentMail({ subject, id, what, evidence }: Incident): OperatorMail {
  const facts = Object.entries(evidence).map(([name, value]) => `${name}: ${String(value)}`);
  return {
    subject: `Incident: ${subject} ${id}`,
    body: `${what}\n\n${facts.join('\n')}\n\nThe money stays held. npm run incidents shows what is open.\n`,
  };
}
