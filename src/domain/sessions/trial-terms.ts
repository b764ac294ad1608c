import type { Unvalidated, ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'

const MISSING_CARD_ACTIONS = ['create_invoice', 'cancel', 'pause'] as const

const trialSettings = s.object(
  {
    missing_payment_method: s.enumOf(
      MISSING_CARD_ACTIONS,
      'The action at the end of the trial without a card: create the first invoice, whose charge fails; cancel the subscription; or pause it.',
    ),
  },
  'The action at the end of the trial.',
)

/** The settings of the end of a trial; null without a trial. */
export const trialSettingsField = s.nullable({
  ...trialSettings,
  description: 'The action at the end of the trial; null without a trial.',
})

/** The trial fields of a checkout session. */
export const trialTermsProperties = {
  trial_days: s.nullable(
    s.integer(1, 'The length of the free trial in days, from the completion; null if no length was given.'),
  ),
  trial_end: s.nullable(
    s.timestamp(
      'Time at which the free trial ends; null if no time was given. A time before the completion has no effect.',
    ),
  ),
  trial_settings: trialSettingsField,
}

/** The schema of `payment_method_collection`. */
export const paymentMethodCollectionSchema = s.enumOf(
  ['always', 'if_required'],
  'Whether the page requires a card: always, or only if the session is completed without a trial.',
)

/** The parameters of the trial of a new checkout session. */
export const trialParams = {
  trial_days: p.integer(
    { min: 1, max: 730 },
    'Length of a free trial in days, 1 to 730, from the completion of the session. Excludes trial_end and start_date.',
  ),
  trial_end: p.timestamp(
    'End of a free trial in Unix seconds, at most 2 years ahead. If the session is completed later, there is no trial. Excludes trial_days and start_date.',
  ),
  trial_settings: p.shape(
    {
      missing_payment_method: p.choice(
        MISSING_CARD_ACTIONS,
        'Action at the end of the trial if the customer has no card (default: create_invoice).',
      ),
    },
    {},
    'The action at the end of the trial.',
  ),
}

/** The parameter `payment_method_collection` of a new checkout session. */
export const paymentMethodCollectionParam = p.choice(
  ['always', 'if_required'],
  'Card collection: `always`, or `if_required` to request no card for a trial (default: always). `if_required` requires a trial.',
)

/** The parameter `trial_end` of a subscription update. */
export const trialEndParam: s.Schema<number | 'now'> = {
  type: ['integer', 'string'],
  format: 'time-or-now',
  description:
    'New end of the trial of a trialing subscription in Unix seconds, at most 2 years ahead. `now` ends the trial and bills the first period.',
  errorCodes: { format: 'timestamp_invalid' },
}

type TrialFields = {
  readonly [K in keyof typeof trialParams]?: s.ValueOf<(typeof trialParams)[K]>
}

type TrialTerms = {
  readonly [K in keyof typeof trialTermsProperties]: s.ValueOf<(typeof trialTermsProperties)[K]>
}

/** Returns the trial of a new session with its defaults. */
export function normalizeTrial({ trial_days, trial_end, trial_settings }: TrialFields): TrialTerms {
  const isTrial = trial_days !== undefined || trial_end !== undefined
  return {
    trial_days: trial_days ?? null,
    trial_end: trial_end ?? null,
    trial_settings: isTrial ? (trial_settings ?? { missing_payment_method: 'create_invoice' }) : null,
  }
}

const SECONDS_PER_DAY = 86_400

/**
 * Returns the end of the trial of a session that is completed at `now`, both in Unix seconds, or null without a trial.
 */
export function findTrialEnd(
  { trial_days, trial_end }: Pick<TrialTerms, 'trial_days' | 'trial_end'>,
  now: number,
): number | null {
  if (trial_days !== null) return now + trial_days * SECONDS_PER_DAY
  return trial_end !== null && trial_end > now ? trial_end : null
}

type UnvalidatedTrial = Unvalidated<TrialFields & { readonly start_date?: number }>

/** Returns the validation errors of a trial. `now` is in Unix seconds; null allows past times. */
export function listTrialErrors(
  terms: UnvalidatedTrial,
  collection: 'always' | 'if_required' | null | undefined,
  now: number | null,
): ValidationError[] {
  const given = (['trial_days', 'trial_end'] as const).filter((name) => terms[name] !== undefined)
  const end = terms.trial_end ?? null
  return [
    ...validateExclusive(terms, given),
    ...(given.length === 0 ? requireTrial(terms, collection) : []),
    ...(end === null ? [] : listTrialEndErrors(end, now, 'subscription_data[trial_end]')),
  ]
}

function validateExclusive(
  { start_date }: UnvalidatedTrial,
  given: readonly ('trial_days' | 'trial_end')[],
): ValidationError[] {
  const [first, second = start_date === undefined ? undefined : 'start_date'] = given
  if (first === undefined || second === undefined) return []
  const message = `subscription_data[${first}] and subscription_data[${second}] exclude each other. Billing starts at the end of the trial; omit one of them.`
  return [{ code: 'parameters_exclusive', param: `subscription_data[${first}]`, message }]
}

function requireTrial(
  { trial_settings }: UnvalidatedTrial,
  collection: 'always' | 'if_required' | null | undefined,
): ValidationError[] {
  const hint =
    'requires a trial. Set subscription_data[trial_days] or subscription_data[trial_end], or omit the parameter.'
  const settings = 'subscription_data[trial_settings][missing_payment_method]'
  const error = (param: string, subject: string) => ({
    code: 'trial_missing',
    param,
    message: `${subject} ${hint}`,
  })
  return [
    ...(trial_settings?.missing_payment_method ? [error(settings, settings)] : []),
    ...(collection === 'if_required'
      ? [error('payment_method_collection', "payment_method_collection 'if_required'")]
      : []),
  ]
}

const MAX_TRIAL_SECONDS = 730 * SECONDS_PER_DAY

/** Returns the validation errors of the end of a trial: it must be in the future, at most 730 days ahead. */
export function listTrialEndErrors(end: number, now: number | null, param = 'trial_end'): ValidationError[] {
  const errors = listUnixSecondsErrors('trial_end', end, param)
  if (errors.length > 0 || now === null) return errors
  if (end > now && end <= now + MAX_TRIAL_SECONDS) return []
  const problem = end > now ? 'it is more than 2 years (730 days) ahead' : 'it is not in the future'
  const message = `Invalid trial_end ${formatTimestamp(end)}: ${problem}. Use a time after now and at most 730 days ahead, in Unix seconds.`
  return [{ code: 'timestamp_invalid', param, message }]
}
