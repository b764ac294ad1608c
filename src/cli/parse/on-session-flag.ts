import type { FlagInput } from '@oclif/core/interfaces'
import { boolean } from './flag-builders.ts'
import type { FlagValues, Params } from './params.ts'

/** The parameter that `--on-session` replaces. */
export const OFF_SESSION_PARAM = 'off_session'

/** The flag of commands that charge a saved card. */
export const onSessionFlag: FlagInput = {
  'on-session': boolean({ description: 'Allow 3-D Secure: the customer is present and can authenticate.' }),
}

/** Returns the parameter that `--on-session` sets. */
export function getOnSessionParams({ 'on-session': isOnSession }: FlagValues): Params {
  return isOnSession === true ? { [OFF_SESSION_PARAM]: false } : {}
}
