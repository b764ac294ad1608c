import type { ApiKey } from '../../src/domain/sandboxes/api-keys.ts'
import { START } from './sandbox.ts'

/** Returns an active secret key; `id` is one character. */
export function apiKey(id: string, more: Partial<ApiKey> = {}): ApiKey {
  return {
    id: `key_Test0000000000000000000${id}`,
    object: 'api_key',
    created: START,
    livemode: false,
    name: 'test',
    kind: 'secret',
    last4: '0001',
    scopes: ['*'],
    status: 'active',
    expires_at: null,
    last_used_at: null,
    ...more,
  }
}
