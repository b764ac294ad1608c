import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'

const METHODS = ['automatic', 'manual'] as const

/** The schema of `capture_method`. */
export const captureMethodSchema = s.enumOf(
  METHODS,
  '`automatic` if the amount is charged immediately, `manual` if it is reserved until it is captured.',
)

/** The schema of the parameter `capture_method`. */
export const captureMethodParam = p.choice(
  METHODS,
  'Whether to charge the amount immediately, or to reserve it for seven days until it is captured (default: automatic).',
)
