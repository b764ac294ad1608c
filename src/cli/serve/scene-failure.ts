import { ApiError } from '../../client/api-error.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import type { SceneFailure } from '../../presentation/scene-results.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Returns an expected error as the result of a scene; throws any other error. */
export function toSceneFailure(error: unknown): SceneFailure {
  const isExpected = [UsageError, ExpectationError, ApiError, ConnectionError].some(
    (type) => error instanceof type,
  )
  if (!isExpected || !(error instanceof Error)) throw error
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : null
  return { object: 'scene_failure', message: error.message, hint }
}
