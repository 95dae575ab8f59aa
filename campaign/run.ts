import { type Campaign, campaigns } from './campaigns.ts';

const [name = '', ...args] = process.argv.slice(2);
const chosen: Campaign | undefined = campaigns[name];
if (chosen === undefined) {
  const list = Object.entries(campaigns).map(([known, { about }]) => `  ${known}: ${about}`);
  console.error(`usage: npm run campaign -- <name> [args]\n${list.join('\n')}`);
  process.exit(2);
}
console.log(chosen.about);
process.exit((await chosen.run(args)) ? 0 : 1);
