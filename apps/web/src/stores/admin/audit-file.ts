import type { CallResult } from '../../wire/api-client.ts';
import { readAuditFile } from './admin-service.ts';

/** How many sections one file has at most, of 5,000 places each. */
const SECTIONS_MAX = 20;

interface Section {
  readonly after: { readonly seq: number };
  readonly places: number;
  readonly newest: number;
}

/** What was read: up to which place, of how many. */
export interface SavedAudit {
  readonly parts: readonly Blob[];
  readonly last: number;
  readonly newest: number;
}

/** The first line of a section says how far it goes. */
async function sectionOf(file: Blob): Promise<Section> {
  const head = await file.slice(0, 1_000).text();
  return JSON.parse(head.slice(0, head.indexOf('\n'))) as Section;
}

/** Reads section after section into one file. Each of them stands in the log, so that the end is the one of the first. */
export async function readAuditFiles(after: number, reason: string): Promise<CallResult<SavedAudit>> {
  const parts: Blob[] = [];
  let read = { last: after, newest: after };
  for (let count = 0; count < SECTIONS_MAX; count += 1) {
    const answer = await readAuditFile({ after: read.last, reason });
    if (!answer.ok) return answer;
    const { places, newest, after: begin } = await sectionOf(answer.data);
    parts.push(answer.data);
    read = { last: begin.seq + places, newest: count === 0 ? newest : read.newest };
    if (places === 0 || read.last >= read.newest) break;
  }
  return { ok: true, data: { ...read, parts } };
}
