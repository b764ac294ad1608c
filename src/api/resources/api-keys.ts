import { UNSCOPED_RESOURCE } from '../../domain/api-keys.ts'
import { RESOURCES } from './catalog.ts'
import { arrayOf, nullable, oneOf, text, timestamp } from './fields.ts'
import { defineResource, withSecret } from './resource.ts'

/** The scopes of restricted keys. A write scope includes read access. */
export const SCOPES: readonly string[] = RESOURCES.filter(({ name }) => name !== UNSCOPED_RESOURCE).flatMap(
  ({ name }) => [`${name}:read`, `${name}:write`],
)

/** The API key resource. */
export const apiKey = defineResource('api_keys', {
  name: nullable(text('Your own name for the key; null if none was given.')),
  kind: oneOf(
    ['secret', 'restricted'],
    'Whether the key permits everything, or only what its scopes permit.',
  ),
  last4: text('The last four characters of the secret.'),
  scopes: arrayOf(
    text('A scope such as `customers:read` or `customers:write`; `*` permits everything.'),
    'What the key permits. A write scope includes reading.',
  ),
  status: oneOf(['active', 'expired', 'revoked'], 'Whether requests with the key are accepted.'),
  expires_at: nullable(timestamp('When the key expires or expired; null if it does not expire.')),
  last_used_at: nullable(timestamp('When the key was last used, to the minute; null if it was never used.')),
})

/** The schema of an API key with its secret. */
export const newApiKey = withSecret(
  apiKey,
  'new_api_key',
  'A new API key with its secret, which no other response contains.',
  text('The bearer token; begins with `paysk_test_` or `payrk_test_`.'),
)
