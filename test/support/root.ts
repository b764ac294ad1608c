import { join } from 'node:path'

/** The absolute path of the checkout, derived from the compiled file in dist/test/support. */
export const ROOT = join(import.meta.dirname, '..', '..', '..')
