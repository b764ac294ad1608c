import * as s from '../../domain/core/schema.ts'
import { paymentSchema } from '../../domain/payments/payments.ts'
import { ERROR_DEFINITIONS } from '../schema/errors.ts'

const code: s.Schema<string> = {
  title: 'error_code',
  type: 'string',
  enum: Object.keys(ERROR_DEFINITIONS),
  description: 'The error code, for programs.',
}

const types = [...new Set(Object.values(ERROR_DEFINITIONS).map(([, type]) => type))]
const param = s.nullable(
  s.text('The parameter that caused the error, such as `items[0][type]`; null if no parameter did.'),
)

const validationError = s.object(
  { code, message: s.text('The error as a message for people.'), param },
  'A validation error.',
)

/** The schema of `error` in the body of every error response. Only card errors have all properties. */
export const errorObjectSchema: s.Schema<unknown> = {
  ...s.titledObject('error', 'The error of a failed request.', {
    type: s.enumOf(types, 'The category of the error.'),
    code,
    message: s.text('What failed and how to fix it, for people.'),
    param,
    doc_url: s.url('The error code in the error reference.'),
    request_id: s.id('The Request-Id of the request, which is also in the server log.'),
    decline_code: s.nullable(
      s.text('The decline reason of the issuer; null if not given. Present only in card errors.'),
    ),
    payment: s.nullable(paymentSchema),
    errors: s.arrayOf(validationError, 'Every validation error; the first one is this error.'),
    suggestion: s.nullable(
      s.text(
        'The most similar known name of an unknown parameter, or the path to use instead of the requested path; null otherwise.',
      ),
    ),
  }),
  required: ['type', 'code', 'message', 'param', 'doc_url', 'request_id', 'errors', 'suggestion'],
}
