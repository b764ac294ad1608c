import { payments } from '../../api/operations/payments.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type FlagValues, type Params, paramsFromFlags } from '../parse/params.ts'

/** Filters of the list of payments for which one flag, `--session`, stands. */
export const SESSION_FILTERS = ['payment_session', 'checkout_session']

/** The parameters of `payments attempts`: the prefix of the session's id says of which kind it is. */
export function attemptParams(flags: FlagValues): Params {
  const params = paramsFromFlags(payments.list.params, flags, SESSION_FILTERS)
  const { session } = flags
  return typeof session === 'string' ? { ...params, [filterOf(session)]: session } : params
}

function filterOf(session: string): string {
  if (session.startsWith('py_sess_')) return 'payment_session'
  if (session.startsWith('cks_')) return 'checkout_session'
  throw new UsageError('flag_invalid', `'${session}' is the id of no session.`, {
    param: 'session',
    hint: 'Payment sessions begin with py_sess_, checkout sessions with cks_.',
  })
}
