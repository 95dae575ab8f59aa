import { CALLS, type CallName, ERRORS } from '@crossbook/contract';
import { type JsonSchema, requestSchema, responseSchema } from './openapi.ts';

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

function kindOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return [...new Set(branches.map((branch) => kindOf(branch)))].join(' or ');
  if (schema.type === 'array') return `list of ${kindOf((schema.items ?? {}) as JsonSchema)}`;
  const { type } = schema;
  if (type === undefined) return 'text';
  return typeof type === 'string' ? type : type.join(' or ');
}

function fieldRows(schema: JsonSchema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const needed = schema.required?.includes(name) === true ? 'yes' : '';
    const bounds = ['pattern', 'minimum', 'maximum', 'maxLength', 'default']
      .filter((keyword) => field[keyword] !== undefined)
      .map((keyword) => `${keyword} ${String(field[keyword])}`)
      .join(', ');
    const about = [field.description, bounds].filter((text) => text !== undefined && text !== '').join('; ');
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(kindOf(field))}</td><td>${needed}</td><td>${escapeHtml(about)}</td></tr>`;
  });
  return rows.join('');
}

function section(name: CallName): string {
  const facts = CALLS[name];
  const request = fieldRows(requestSchema(name));
  const response = responseSchema(name);
  const rowSchema = response.type === 'array' ? ((response.items ?? {}) as JsonSchema) : response;
  const head = '<tr><th>field</th><th>type</th><th>required</th><th>meaning, bounds</th></tr>';
  const who = facts.access === 'member' ? 'members: cookie and stoken' : 'anyone';
  return `<section id="${name}"><h2>POST${facts.get ? ', GET' : ''} /api/${name}</h2><p>${escapeHtml(facts.about)} For ${who}.</p>
<h3>Request</h3>${request === '' ? '<p>No fields.</p>' : `<table>${head}${request}</table>`}
<h3>Answer: ${response.type === 'array' ? 'a list of' : ''} data</h3><table>${head}${fieldRows(rowSchema)}</table></section>`;
}

function errorTable(): string {
  const rows = ERRORS.map(
    (row) =>
      `<tr><td>${row.code}</td><td><code>${row.name}</code></td><td>${escapeHtml(row.en)}</td><td>${escapeHtml(row.when)}</td></tr>`,
  );
  return `<table><tr><th>code</th><th>name</th><th>text</th><th>when</th></tr>${rows.join('')}</table>`;
}

/** The contract for people: every call, field and error, made from the same tables that check the requests. */
export function apiPage(productName: string): string {
  const names = Object.keys(CALLS) as CallName[];
  const title = escapeHtml(`${productName} API`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>
:root{color-scheme:dark light}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8884;padding:.25rem .5rem;text-align:left;vertical-align:top}
h2{margin-top:2.5rem;font-size:1.1rem}h3{font-size:.95rem}code{font-size:.9em}</style></head><body><h1>${title}</h1>
<p>Form-encoded POST (or multipart) with <code>sosflag=3</code> and, for members, <code>stoken</code> beside the session cookie.
Every answer is HTTP 200 with <code>{code, msg, data}</code>; 1 is success. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
<ul>${names.map((name) => `<li><a href="#${name}">${name}</a>: ${escapeHtml(CALLS[name].about)}</li>`).join('')}</ul>
${names.map(section).join('\n')}<h2>Errors</h2>${errorTable()}</body></html>`;
}
