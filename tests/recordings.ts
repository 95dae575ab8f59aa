import { join } from 'node:path';

/** Where recorded exchange messages lie; they are no part of the project. One place says it: a test that looks elsewhere is skipped for ever. */
export const RECORDINGS_DIR = process.env.RECORDINGS_DIR ?? join(import.meta.dirname, '../../shared/data');
