import fc from 'fast-check';

/**
 * vitest's set-up of every test file: properties that name no seed begin at this one, so that a run says the same of the
 * same code every time. `PROPERTY_SEED=7 npm test` looks elsewhere; what it finds comes back as a case.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? '20261123') });
