import { inspect } from 'node:util';

/** Reporter of Node's test runner: every test with its outcome as one JSON array, read by scripts/proofs/reports.ts. */
export default async function* report(source) {
  const claims = [];
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' && type === 'test:pass') continue;
    const cause = data.details.error?.cause;
    // A suite fails with its tests; only what fails in its hooks is its own.
    if (data.details.type === 'suite' && data.details.error?.failureType === 'subtestsFailed') continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const outcome = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    // Some clients throw what is no Error.
    const said = cause?.stack ?? (cause === undefined ? String(data.details.error) : inspect(cause));
    const why = outcome === 'failed' ? said : undefined;
    claims.push({ name: `${data.file ?? ''} > ${data.name}`, outcome, why });
  }
  yield JSON.stringify(claims);
}
