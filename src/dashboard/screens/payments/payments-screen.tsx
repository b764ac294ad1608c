import { useEffect } from 'preact/hooks'
import type { Payment } from '../../../domain/payments/payments.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { ErrorNote } from '../../components/states.tsx'
import type { Page } from '../../data/api-client.ts'
import { paymentSource } from '../../data/payment-source.ts'
import { useApi } from '../../data/use-api.ts'
import { useList } from '../../data/use-list.ts'
import { readRoute, replaceQuery, useRoute } from '../../routing/router.ts'
import { PaymentFilterBar } from './filter-bar.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { totalsOfPayments } from './outcomes.ts'
import {
  isMatch,
  type PaymentFilters,
  REAL_TIME_FILTER,
  readFilters,
  toPaymentsQuery,
  toUrlQuery,
} from './payment-filters.ts'
import { PaymentList } from './payment-list.tsx'
import { PaymentsOverview } from './payments-overview.tsx'

/** Shows charged, declined and refunded payments with their reasons. */
export function PaymentsScreen() {
  const filters = readFilters(useRoute().query)
  const clocks = useApi<Page<TestClock>>('/v1/test_helpers/test_clocks', { limit: 100 })
  const scopeError = useScope(filters)
  const isReady = filters.test_clock !== '' || filters.customer !== ''
  const onClock = filters.customer === '' && filters.test_clock !== REAL_TIME_FILTER
  const found = useList(
    isReady
      ? paymentSource({
          query: toPaymentsQuery(filters),
          testClock: onClock ? filters.test_clock : null,
          isWanted: (payment) => isMatch(payment, filters),
        })
      : null,
  )
  const setFilters = (changes: Partial<PaymentFilters>) =>
    replaceQuery(toUrlQuery({ ...filters, ...changes }))
  return (
    <div class="stack payments">
      <h1>Payments</h1>
      <PaymentFilterBar filters={filters} clocks={clocks.data?.data ?? []} onChange={setFilters} />
      {onClock && isReady && (
        <p class="note row">
          Only payments on one test clock are shown.
          <button type="button" onClick={() => setFilters({ test_clock: REAL_TIME_FILTER })}>
            Show those in real time
          </button>
        </p>
      )}
      {scopeError !== null && <ErrorNote error={scopeError} />}
      {isReady && filters.customer === '' && <PaymentsOverview filters={filters} onChange={setFilters} />}
      {filters.customer !== '' && found.items !== null && found.items.length > 0 && (
        <section class="panel stack" aria-labelledby="customer-totals">
          <h2 id="customer-totals">Totals of the payments below</h2>
          <OutcomeTable totals={totalsOfPayments(found.items)} />
        </section>
      )}
      <PaymentList found={found} filters={filters} onChange={setFilters} />
    </div>
  )
}

/** Selects the test clock or real time of the newest payment, until the URL has a clock or a customer. */
function useScope({ test_clock, customer }: PaymentFilters) {
  const isChosen = test_clock !== '' || customer !== ''
  const newest = useApi<Page<Payment>>(isChosen ? null : '/v1/payments', { limit: 1 })
  const found = newest.data === null ? null : (newest.data.data[0]?.test_clock ?? REAL_TIME_FILTER)
  useEffect(() => {
    if (found === null || isChosen) return
    replaceQuery({ ...Object.fromEntries(readRoute().query), test_clock: found })
  }, [found, isChosen])
  return newest.error
}
