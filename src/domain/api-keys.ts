/** A key that opens the API; private. Only a digest is kept, with the last four characters to recognise it by. */
export interface ApiKey {
  readonly id: string
  readonly object: 'api_key'
  readonly created: number
  readonly name: string
  readonly kind: 'secret'
  readonly last4: string
  readonly digest: string
  readonly status: 'active' | 'revoked'
  readonly expires_at: number | null
}

/** Prefix of every key that paycli gives out. */
export const API_KEY_PREFIX = 'paysk_test_'
