import type { Campaign } from './campaign.ts';
import { hotStatements } from './hot-statements.ts';
import { matrices } from './matrices.ts';
import { mutation } from './mutation.ts';
import { officeLists } from './office-lists.ts';
import { properties } from './properties.ts';
import { threats } from './threats.ts';

const campaigns: Readonly<Record<string, Campaign>> = {
  mutation,
  matrices,
  properties,
  threats,
  'hot-statements': hotStatements,
  'office-lists': officeLists,
};

const [name = '', ...args] = process.argv.slice(2);
const chosen = campaigns[name];
if (chosen === undefined) {
  const list = Object.entries(campaigns).map(([known, { about }]) => `  ${known}: ${about}`);
  console.error(`usage: npm run campaign -- <name> [args]\n${list.join('\n')}`);
  process.exit(2);
}
console.log(chosen.about);
process.exit((await chosen.run(args)) ? 0 : 1);
