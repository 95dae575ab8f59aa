import type { Refusal } from '@crossbook/contract';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The branch of a union that came furthest says most: one that refused the value, not only its type. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const branches = issue.errors.flat().map(innermost);
  return branches.find((inner) => inner.code !== 'invalid_type') ?? branches[0] ?? issue;
}

function allowedText(issue: Issue, given: unknown): string {
  if (given === undefined) return 'required';
  const inner = innermost(issue);
  if (inner.code === 'invalid_value') return `one of ${inner.values.join(', ')}`;
  if (inner.code === 'too_big')
    return `at most ${inner.maximum}${inner.origin === 'string' ? ' characters' : ''}`;
  if (inner.code === 'invalid_format' && inner.message.startsWith('Invalid')) {
    return `text matching ${inner.pattern ?? inner.format}`;
  }
  if (inner.code === 'invalid_type' && inner.message.startsWith('Invalid')) {
    return inner.expected === 'string'
      ? 'text'
      : inner.expected === 'number'
        ? 'a number'
        : 'a value of another kind';
  }
  if (inner.code === 'too_small' && inner.message.startsWith('Too small')) {
    return `at least ${inner.minimum}${inner.origin === 'string' ? ' characters' : ''}`;
  }
  return inner.message;
}

/** The first problem of a request as a refusal that names the field and what is allowed. */
export function fieldProblem(error: z.ZodError, fields: Readonly<Record<string, unknown>>): Refusal {
  const unknownKeys = error.issues.find((issue) => issue.code === 'unrecognized_keys');
  const issue = error.issues.find((other) => other.code !== 'unrecognized_keys');
  if (issue === undefined) {
    const name = unknownKeys?.code === 'unrecognized_keys' ? (unknownKeys.keys[0] ?? '') : '';
    return { error: 'field-invalid', field: name, allowed: 'not a field of this call' };
  }
  const name = String(issue.path[0] ?? 'form');
  return { error: 'field-invalid', field: name, allowed: allowedText(issue, fields[name]) };
}
