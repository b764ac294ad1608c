import type { ValidationError } from '../../domain/domain-error.ts'
import { ERRORS, type ErrorType, type WireError } from '../schema/errors.ts'
import { arrayOf, type Exactly, type ExactObject, id, nullable, object, oneOf, text, url } from './fields.ts'
import { payment } from './payments.ts'

/** The schema of an error code. */
export const errorCode: Exactly<string> = {
  title: 'error_code',
  type: 'string',
  enum: Object.keys(ERRORS),
  description: 'The error code, for programs.',
}

const type: Exactly<ErrorType> = oneOf(
  [
    'invalid_request_error',
    'authentication_error',
    'permission_error',
    'card_error',
    'idempotency_error',
    'rate_limit_error',
    'api_error',
  ],
  'The category of the error.',
)

const param = nullable(
  text('The parameter that caused the error, such as `items[0][type]`; null if none did.'),
)

const validationError: Exactly<ValidationError> = object(
  { code: errorCode, message: text('The error as a message for people.'), param },
  'A validation error.',
)

/** The schema of `error` in the body of every error response. */
export const errorBody: ExactObject<WireError> = {
  title: 'error',
  ...object<WireError>(
    {
      type,
      code: errorCode,
      message: text('What failed and how to fix it, for people.'),
      param,
      doc_url: url('The error code in the error reference.'),
      request_id: id('The Request-Id of the request, which the log of the server contains too.'),
      decline_code: nullable(
        text('The reason of the issuer for declining; null if it gave none. Only in card errors.'),
      ),
      payment: nullable(payment.schema) as Exactly<NonNullable<WireError['payment']> | null>,
      errors: arrayOf(validationError, 'Every validation error; the first one is this error.'),
      suggestion: nullable(text('The most similar known name of an unknown parameter; null otherwise.')),
    },
    'The error of a failed request.',
    ['decline_code', 'payment'],
  ),
}
