import { maskCardNumbers } from './card-number-masking.ts'

// The pattern has no word boundary, because text directly before a key, such as `%20`, must not prevent masking.
const KEY = /(whsec|pay[sr]k_test|[a-z]_live)_[0-9A-Za-z+/=_-]+/g

/** Masks API keys and webhook secrets in a string. */
export function maskKeysAndSecrets(text: string): string {
  return text.replaceAll(KEY, '$1_…')
}

/** Masks API keys, webhook secrets and card numbers in a string. */
export function maskSecretsAndCardNumbers(text: string): string {
  return maskCardNumbers(maskKeysAndSecrets(text))
}
