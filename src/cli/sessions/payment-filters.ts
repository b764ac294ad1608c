import { payments } from '../../api/operations/payments.ts'
import { resourceOfId } from '../../api/resources/catalog.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type FlagValues, type Params, paramsFromFlags } from '../parse/params.ts'

/** Filters of the list of payments that `--session` replaces. */
export const SESSION_FILTERS = ['payment_session', 'checkout_session']

/** Returns the parameters of `payments list`. The prefix of `--session` selects the filter. */
export function paymentFilters(flags: FlagValues): Params {
  const params = paramsFromFlags(payments.list.params, flags, SESSION_FILTERS)
  const { session } = flags
  return typeof session === 'string' ? { ...params, [filterOf(session)]: session } : params
}

function filterOf(session: string): string {
  const object = resourceOfId(session)?.object ?? ''
  if (SESSION_FILTERS.includes(object)) return object
  throw new UsageError(
    'flag_invalid',
    `Invalid --session '${session}': expected the id of a payment or checkout session.`,
    {
      param: 'session',
      hint: 'Ids of payment sessions begin with py_sess_, ids of checkout sessions with cks_.',
    },
  )
}
