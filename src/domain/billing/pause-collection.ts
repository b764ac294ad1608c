import type { Unvalidated, ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'

const BEHAVIORS = ['keep_as_draft', 'mark_uncollectible', 'void'] as const

const pauseCollection = s.object(
  {
    behavior: s.enumOf(
      BEHAVIORS,
      'The handling of new invoices: `keep_as_draft` leaves them drafts, `mark_uncollectible` finalizes them and marks them as uncollectible, and `void` voids them.',
    ),
    resumes_at: s.nullable(
      s.timestamp('Time at which collection resumes; null if it does not resume automatically.'),
    ),
  },
  'The handling of new invoices while their collection is paused; null if collection is not paused. The pause does not affect `status` or the retries of open invoices.',
)

/** The schema of the field `pause_collection` of a subscription. */
export const pauseCollectionField = s.nullable(pauseCollection)

/** The parameter that pauses the collection of new invoices; null resumes the collection. */
export const pauseCollectionParam = s.nullable(
  p.shape(
    {
      behavior: p.choice(
        BEHAVIORS,
        'The handling of new invoices: they stay drafts, are marked as uncollectible, or are voided.',
      ),
    },
    {
      resumes_at: s.nullable(
        p.timestamp(
          'Time to resume in Unix seconds, at most 5 years in the future (default: until you resume collection).',
        ),
      ),
    },
    'Pause of the collection of new invoices, including the first invoice; null resumes collection.',
  ),
)

type PauseParams = s.ValueOf<typeof pauseCollectionParam>
export type PauseCollection = s.ValueOf<typeof pauseCollection>

const MAX_PAUSE_SECONDS = 5 * 365.25 * 86_400

/** Returns the fields of an update that sets the pause, or no field if the parameter is absent or ends no pause. */
export function getPauseUpdateFields(
  { pause_collection }: { readonly pause_collection: PauseCollection | null },
  given: PauseParams | undefined,
): { readonly pause_collection?: PauseCollection | null } {
  if (given === undefined) return {}
  if (given === null) return pause_collection === null ? {} : { pause_collection: null }
  return { pause_collection: { behavior: given.behavior, resumes_at: given.resumes_at ?? null } }
}

/** Returns the validation errors of `resumes_at`: it must be in the future, at most 5 years ahead. `now` is null if unknown. */
export function listPauseCollectionErrors(
  given: Unvalidated<NonNullable<PauseParams>> | null | undefined,
  now: number | null,
): ValidationError[] {
  const resumesAt = given?.resumes_at ?? null
  if (resumesAt === null) return []
  const param = 'pause_collection[resumes_at]'
  const errors = listUnixSecondsErrors('resumes_at', resumesAt, param)
  if (errors.length > 0 || now === null) return errors
  if (resumesAt > now && resumesAt <= now + MAX_PAUSE_SECONDS) return []
  const reason = resumesAt > now ? 'more than 5 years ahead' : 'not in the future'
  const message = `Invalid resumes_at ${formatTimestamp(resumesAt)}: it is ${reason}. Use a later time than ${formatTimestamp(now)}, at most 5 years ahead, in Unix seconds.`
  return [{ code: 'timestamp_invalid', param, message }]
}
