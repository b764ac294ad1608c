/** The fields of a checkout session's `subscription_data` without a trial. */
export const CHECKOUT_TERMS = {
  start_date: null,
  trial_days: null,
  trial_end: null,
  trial_settings: null,
  metadata: {},
} as const

/** The trial fields of a subscription without a trial. */
export const NO_TRIAL = { trial_start: null, trial_end: null, trial_settings: null } as const
