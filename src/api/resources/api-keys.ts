import type { ApiKey } from '../../domain/api-keys.ts'
import { head, many, moment, oneOf, orNull, resource, words } from './fields.ts'

const fields = {
  ...head('api_key', 'key'),
  name: orNull(words('What you call it.')),
  kind: oneOf(['secret', 'restricted'], 'Whether it opens everything, or only what its scopes name.'),
  last4: words('The last four characters of its secret.'),
  scopes: many(
    words('`customers:read`, `customers:write` and so on; `*` is everything.'),
    'What it opens; to write is to read as well.',
  ),
  status: oneOf(['active', 'expired', 'revoked'], 'Whether it opens anything.'),
  expires_at: orNull(moment('When it ends, or ended.')),
  last_used_at: orNull(moment('When it was last used, to the minute.')),
} as const

/** A key as answers show it. */
export const apiKey = resource<ApiKey>('api_key', 'What opens the API. Its times are real.', fields)

/** The answers that show the secret of a key. */
export const newApiKey = resource<ApiKey & { readonly secret: string }>(
  'new_api_key',
  'A new key with its secret, which no other answer shows.',
  {
    ...fields,
    secret: words('What to send as the bearer token; begins with `paysk_test_` or `payrk_test_`.'),
  },
)
