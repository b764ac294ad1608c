import type { ValidationError } from '../../domain/domain-error.ts'
import type { RequestLog } from '../../domain/request-logs.ts'
import { count, group, head, orNull, reference, resource, words } from './fields.ts'

/** A request as answers show it. */
export const requestLog = resource<RequestLog>(
  'request_log',
  'A request to the API and how it was answered, without its body; the newest 10,000 of 30 days are kept. Its time is real.',
  {
    ...head('request_log', 'request'),
    method: words('Its method.'),
    path: words('Its path without the query, up to 500 characters.'),
    status: count(100, 'The status of the answer.'),
    duration_ms: count(0, 'How long the answer took, in milliseconds.'),
    error: orNull(
      group<ValidationError>(
        {
          code: words('The code of the error.'),
          message: words('Its message, up to 500 characters.'),
          param: orNull(words('The parameter it is about.')),
        },
        'What an error answer told.',
      ),
    ),
    api_key: orNull(reference('The key that opened the API.')),
    replay_of: orNull(reference('The request that was carried out, when this one only repeated it.')),
  },
)
