import { z } from 'zod';
import brand from '../../../resources/brand.json' with { type: 'json' };
import type { ApiContract, CallDefinition } from '../../shared/api/call.ts';
import type { StreamDefinition } from '../../shared/api/streams.ts';
import { ERROR_CODES, type WireError } from '../../shared/errors.ts';

/** An error as the documentation shows it. */
const Failure = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
    .optional(),
  errorId: z.string().optional(),
}) satisfies z.ZodType<WireError>;

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'openapi-3.0' });

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || !(each as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(each as z.ZodType, 'input'),
  }));
}

function operation(area: string, name: string, call: CallDefinition): Json {
  const type = call.bodyFormat === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: call.summary,
    security: call.access === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query')],
    ...(call.body === undefined
      ? {}
      : { requestBody: { required: true, content: { [type]: { schema: schemaOf(call.body, 'input') } } } }),
    responses: {
      ...(call.status === 204
        ? { 204: { description: 'Done; nothing is answered.' } }
        : {
            200: {
              description: 'Done.',
              content: { 'application/json': { schema: schemaOf(call.response, 'output') } },
            },
          }),
      default: {
        description: `Refused or failed. Besides the general codes: ${call.errors.join(', ') || 'none'}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

function streamOperation(area: string, name: string, stream: StreamDefinition): Json {
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: stream.summary,
    security: stream.access === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
    parameters: [...parameters(stream.params, 'path'), ...parameters(stream.query, 'query')],
    responses: {
      200: { description: 'The content.', content: { [stream.answer]: {} } },
      default: {
        description: 'Refused or failed.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

/** The contract as an OpenAPI document, made from the same schemas that validate the calls. */
export function openApiDocument(
  contract: ApiContract,
  streams: Readonly<Record<string, Readonly<Record<string, StreamDefinition>>>>,
) {
  const paths: Record<string, Json> = {};
  for (const [area, calls] of Object.entries(contract)) {
    for (const [name, call] of Object.entries(calls)) {
      paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(area, name, call) };
    }
  }
  for (const [area, routes] of Object.entries(streams)) {
    for (const [name, stream] of Object.entries(routes)) {
      paths[stream.path] = {
        ...paths[stream.path],
        [stream.method.toLowerCase()]: streamOperation(area, name, stream),
      };
    }
  }
  return {
    openapi: '3.0.3',
    info: { title: `${brand.name} API`, version: '1', description: `Error codes: ${ERROR_CODES.join(', ')}.` },
    paths,
    components: {
      schemas: { Failure: schemaOf(z.object({ error: Failure }), 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'armarium_access' },
      },
    },
  };
}
