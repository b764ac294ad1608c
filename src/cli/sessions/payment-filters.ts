import { findResourceOfId } from '../../api/resources/catalog.ts'
import { createInvalidFlagError } from '../errors/usage-error.ts'
import type { FlagValues, Params } from '../parse/params.ts'

/** Filters of the list of payments that `--session` replaces. */
export const SESSION_FILTERS = ['payment_session', 'checkout_session']

/** Returns the filter that `--session` sets. The prefix of the id selects the filter. */
export function getSessionFilter({ session }: FlagValues): Params {
  return typeof session === 'string' ? { [filterOf(session)]: session } : {}
}

function filterOf(session: string): string {
  const object = findResourceOfId(session)?.object ?? ''
  if (SESSION_FILTERS.includes(object)) return object
  const hint = 'Ids of payment sessions begin with py_sess_, ids of checkout sessions with cks_.'
  throw createInvalidFlagError('session', session, 'the id of a payment or checkout session', hint)
}
