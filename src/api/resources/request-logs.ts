import type { ValidationError } from '../../domain/domain-error.ts'
import { id, integer, nullable, object, text } from './fields.ts'
import { defineResource } from './resource.ts'

/** The request log resource. */
export const requestLog = defineResource('request_logs', {
  method: text('The HTTP method.'),
  path: text('The path without the query, up to 500 characters.'),
  status: integer(100, 'The status of the response.'),
  duration_ms: integer(0, 'The time until the response, in milliseconds.'),
  error: nullable(
    object<ValidationError>(
      {
        code: text('The error code.'),
        message: text('The error message, up to 500 characters.'),
        param: nullable(text('The parameter that caused the error; null if none did.')),
      },
      'The error of the response; null if it succeeded.',
    ),
  ),
  api_key: nullable(id('The API key of the request; null if it was not authenticated.')),
  replay_of: nullable(
    id('The original request if this one repeated its idempotency key; null if it was executed.'),
  ),
})
