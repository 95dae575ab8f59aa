import { CALLS, type CallName, ERRORS } from '@crossbook/contract';
import { CALL_SCHEMAS } from '@crossbook/contract/schema';
import { z } from 'zod';

/** A JSON Schema as far as this file looks into it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** What a call takes, as JSON Schema of the input. */
export function requestSchema(name: CallName): JsonSchema {
  return plain(z.toJSONSchema(CALL_SCHEMAS[name].request, { io: 'input', unrepresentable: 'any' }));
}

/** What a call answers as `data`. */
export function responseSchema(name: CallName): JsonSchema {
  return plain(z.toJSONSchema(CALL_SCHEMAS[name].response, { io: 'output', unrepresentable: 'any' }));
}

function plain(schema: unknown): JsonSchema {
  const { $schema: _dialect, '~standard': _standard, ...rest } = schema as Record<string, unknown>;
  return rest as JsonSchema;
}

const SOSFLAG: JsonSchema = { type: 'string', enum: ['3'], description: 'always 3' };
const FILE: JsonSchema = { type: 'string', format: 'binary' };
const STOKEN: JsonSchema = { type: 'string', description: 'the token of the login' };

/** What an exchange's refusal answers as `data`. */
const VENUE_REASON: JsonSchema = {
  type: 'object',
  description: 'only of a refusal behind which a code of the exchange stands',
  properties: {
    cause: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'why, in names of ours' },
    venueCode: { type: 'string', description: 'the bare code' },
  },
};

function operation(name: CallName): object {
  const facts = CALLS[name];
  const request = requestSchema(name);
  const member = facts.access === 'member';
  const { field } = facts.file ?? {};
  const file = field === undefined ? {} : { [field]: { ...request.properties?.[field], ...FILE } };
  const form: JsonSchema = {
    ...request,
    properties: { ...request.properties, ...file, sosflag: SOSFLAG, ...(member ? { stoken: STOKEN } : {}) },
    required: [...(request.required ?? []), 'sosflag', ...(member ? ['stoken'] : [])],
  };
  const content = { schema: form };
  const envelope = {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: {
      code: { type: 'integer', description: '1 success, -2 log in again, else the error catalogue' },
      msg: { type: 'string' },
      data: { anyOf: [responseSchema(name), VENUE_REASON, { type: 'null' }] },
    },
  };
  return {
    summary: facts.about,
    ...(facts.get ? { description: 'GET works too, with the fields as its query.' } : {}),
    tags: [name.split('/')[0]],
    security: member ? [{ session: [] }] : [],
    parameters: [
      { in: 'header', name: 'Tenant-Id', schema: { type: 'string' } },
      { in: 'header', name: 'Language', schema: { type: 'string', enum: ['en', 'ja', 'ko'] } },
    ],
    requestBody: {
      required: true,
      content: {
        ...(field === undefined ? { 'application/x-www-form-urlencoded': content } : {}),
        'multipart/form-data': content,
      },
    },
    responses: {
      200: {
        description: 'Every answer, refusals included.',
        content: { 'application/json': { schema: envelope } },
      },
    },
  };
}

/** The whole contract as OpenAPI 3.1, made from the schemas that check the requests. */
export function openApi(productName: string, version: string): object {
  const paths: Record<string, object> = {};
  for (const name of Object.keys(CALLS) as CallName[]) paths[`/api/${name}`] = { post: operation(name) };
  return {
    openapi: '3.1.0',
    info: { title: `${productName} own service`, version },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid', description: 'cookie and stoken, both' },
      },
    },
    'x-errors': ERRORS,
  };
}
