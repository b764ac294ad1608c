import type { Customer } from '../../../domain/payments/customers.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { humanizeName } from '../../../presentation/words.ts'
import { createFilterChoices, FilterBar } from '../../components/filter-bar.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import type { ApiListPage } from '../../data/api-client.ts'
import { useList } from '../../data/use-list.ts'
import { useApi } from '../../data/use-load.ts'
import { formatDate } from '../../format/format-time.ts'
import { useFilters, useRoute } from '../../routing/router.ts'
import { createPaymentColumns } from './payment-columns.tsx'
import {
  createPaymentListSource,
  type PaymentFilters,
  REAL_TIME_FILTER,
  readPaymentFilters,
  STATUS_CHOICES,
} from './payment-filters.ts'
import { PaymentsOverview } from './payments-overview.tsx'

const FIELDS = [
  {
    ...{ name: 'status', label: 'Status' },
    choices: createFilterChoices(STATUS_CHOICES, (status) =>
      status === 'failed' ? 'Declined' : humanizeName(status),
    ),
  },
  { name: 'customer', label: 'Customer', type: 'id', placeholder: 'cus_…' },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
] as const

/** Shows charged, declined and refunded payments with their reasons. */
export function PaymentsScreen() {
  const filters = readPaymentFilters(useRoute().query)
  const { isFiltered } = useFilters(['status', 'customer', 'from', 'to'])
  const list = useList(createPaymentListSource(filters))
  const customers = useApi<ApiListPage<Customer>>('/v1/customers', { limit: 100 })
  const emails = new Map(customers.data?.data.map(({ id, email }) => [id, email]))
  return (
    <div class="stack">
      <h1>Payments</h1>
      <PaymentFilterBar customer={filters.customer} />
      {filters.customer === '' && <PaymentsOverview key={filters.test_clock} filters={filters} />}
      <ListView
        {...{ list, columns: createPaymentColumns(emails), noun: 'payment', isFiltered }}
        empty={
          <EmptyState title="No payments yet" command="paycli trigger payment.succeeded">
            <p class="quiet">
              Each attempt to charge a card is shown here, with its outcome and the reason. To see the
              payments on a test clock, select the clock.
            </p>
          </EmptyState>
        }
      />
    </div>
  )
}

function PaymentFilterBar({ customer }: Pick<PaymentFilters, 'customer'>) {
  const { isFiltered } = useFilters(['test_clock'])
  const clocks = useApi<ApiListPage<TestClock>>('/v1/test_helpers/test_clocks', { limit: 100 })
  const choices = [
    ...(customer === '' ? [] : [['', 'Any clock'] as const]),
    [customer === '' && !isFiltered ? '' : REAL_TIME_FILTER, 'Real time'] as const,
    ...(clocks.data?.data ?? []).map(({ id, name, frozen_time }) => {
      const shown = name === null ? id : `${name.slice(0, 60)} (${id})`
      return [id, `${shown}, ${formatDate(frozen_time)}`] as const
    }),
  ]
  return <FilterBar fields={[{ name: 'test_clock', label: 'Time', choices, isScope: true }, ...FIELDS]} />
}
