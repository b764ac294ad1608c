import type { Statistics } from '../../../domain/reports/statistics.ts'
import type { SubscriptionHistory } from '../../../domain/reports/subscription-history.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { DataTable, type DataTableColumn } from '../../components/data-table.tsx'
import { LoadNote, Panel } from '../../components/placeholders.tsx'
import { Amount, Amounts } from '../../components/values.tsx'
import { useApi } from '../../data/use-load.ts'
import { formatDate } from '../../format/format-time.ts'
import { setFilters, useRoute } from '../../routing/router.ts'

type Month = SubscriptionHistory & Statistics['data'][number]

/** Shows the totals of the last twelve months of a clock, and the retention rate of the new subscriptions of each month. */
export function ClockMonths({ clock: { id, frozen_time } }: { readonly clock: TestClock }) {
  const isShown = useRoute().query.get('months') === 'shown'
  const query = { interval: 'month', test_clock: id, history: 'true' }
  // The server reads every record, so the months are read only on request.
  const path = isShown ? '/v1/statistics' : null
  const { data, error, reload } = useApi<Statistics>(path, query, { after: [frozen_time] })
  const months = data?.data.flatMap((bucket, at) => ({ ...bucket, ...data.history?.[at] }) as Month) ?? []
  const first = months.findIndex(({ created, currencies }) => created > 0 || currencies.length > 0)
  const used = first === -1 ? [] : months.slice(first)
  return (
    <Panel title="Months">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setFilters({ months: isShown ? '' : 'shown' })}
      >
        {isShown ? 'Hide months' : 'Show months'}
      </button>
      {isShown && <LoadNote data={data} error={error} reload={reload} />}
      {data !== null && used.length === 0 && (
        <p class="quiet">No payments and subscriptions in twelve months.</p>
      )}
      {used.length > 0 && (
        <>
          <DataTable label="Totals by month" columns={COLUMNS} items={used} keyOf={nameMonth} />
          <CohortChart months={used} />
        </>
      )}
    </Panel>
  )
}

const nameMonth = ({ start }: Pick<Month, 'start'>) => formatDate(start).slice(0, 'yyyy-mm'.length)

const COLUMNS: readonly DataTableColumn<Month>[] = [
  { label: 'Month', cell: nameMonth },
  {
    ...{ label: 'Revenue', isNumber: true },
    cell: ({ currencies }) => (
      <Amounts amounts={currencies.map(({ currency, payments }) => ({ currency, ...payments.succeeded }))} />
    ),
  },
  {
    ...{ label: 'Refunded', isNumber: true },
    cell: ({ currencies }) => (
      <Amounts
        amounts={currencies.map(({ currency, refunds: { succeeded, pending } }) => ({
          ...{ currency, amount: succeeded.amount + pending.amount },
        }))}
      />
    ),
  },
  {
    ...{ label: 'Recurring revenue', isNumber: true },
    cell: ({ recurring_revenue }) => <Amounts amounts={recurring_revenue} />,
  },
  { label: 'New', isNumber: true, cell: ({ created }) => created },
  { label: 'Ended', isNumber: true, cell: ({ ended }) => ended },
  {
    label: 'Invoices whose first charge failed',
    cell: ({ dunning: { recovered, open, lost } }) =>
      recovered + open + lost === 0 ? '–' : `${recovered} recovered, ${open} still retried, ${lost} lost`,
  },
  {
    label: 'Tax',
    cell: ({ taxes }) =>
      taxes
        .filter(({ amount }) => amount !== 0)
        .map(({ tax_percent, ...one }) => (
          <div key={`${one.currency} ${tax_percent}`}>
            {tax_percent} %: <Amount {...one} />
          </div>
        )),
  },
]

const LEVELS = 5

function CohortChart({ months }: { readonly months: readonly Month[] }) {
  const shareOf = ({ created, remaining }: Month, at: number) =>
    created === 0 || remaining[at] === undefined ? null : Math.round((100 * remaining[at]) / created)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll the chart on a narrow screen.
    <section class="cohorts-scroll" aria-label="Remaining subscriptions" tabIndex={0}>
      <table class="cohorts">
        <caption>Retention rate of new subscriptions after 1, 2, … months, in percent</caption>
        <thead>
          <tr>
            <th scope="col">Start</th>
            {months.map((month, at) => (
              <th key={month.start} scope="col">
                {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.start}>
              <th scope="row">{nameMonth(month)}</th>
              {months.map(({ start }, at) => {
                const share = shareOf(month, at)
                return (
                  <td key={start} class={share === null ? '' : `share-${Math.ceil((share * LEVELS) / 100)}`}>
                    {share}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
