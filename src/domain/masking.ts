import { maskCardNumbers } from './card-numbers.ts'

// Whatever stands before a key, such as `%20` or a name, must not hide it.
const KEY = /(whsec|pay[sr]k_test|[a-z]_live)_[0-9A-Za-z+/=_-]+/g

/** The text without keys and webhook secrets. */
export function maskKeys(text: string): string {
  return text.replaceAll(KEY, '$1_…')
}

/** The text without what opens, signs or pays anything: keys, webhook secrets and card numbers. */
export function maskSecrets(text: string): string {
  return maskCardNumbers(maskKeys(text))
}
