import type { ValidationError } from '../../domain/domain-error.ts'
import { ERRORS, type ErrorType, type WireError } from '../schema/errors.ts'
import { address, type Exactly, type Fields, group, many, oneOf, orNull, reference, words } from './fields.ts'
import { payment } from './payments.ts'

/** Every code an error can have. */
export const errorCode: Exactly<string> = {
  title: 'error_code',
  type: 'string',
  enum: Object.keys(ERRORS),
  description: 'What is wrong, for programs.',
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
  'Who can mend it, roughly.',
)

const param = orNull(words('Where in the request, such as `items[0][type]`; null where it is nowhere.'))

const problem: Exactly<ValidationError> = group(
  { code: errorCode, message: words('What is wrong, for people.'), param },
  'One thing that is wrong.',
)

/** What `error` in the body of every response other than 200 holds. */
export const errorBody: Fields<WireError> = {
  title: 'error',
  ...group<WireError>(
    {
      type,
      code: errorCode,
      message: words('What is wrong, and what to try next.'),
      param,
      doc_url: address('The code in the error reference.'),
      request_id: reference('The Request-Id of the call, also in the log of the service.'),
      decline_code: orNull(words('Why the issuer declined, where it says; on card errors only.')),
      payment: orNull(payment) as Exactly<NonNullable<WireError['payment']> | null>,
      errors: many(problem, 'All that is wrong; the first one is this error itself.'),
      suggestion: orNull(words('The nearest name, for a parameter that is not known.')),
    },
    'What is wrong.',
    ['decline_code', 'payment'],
  ),
}
