import type { TestClock } from '../../../domain/time/test-clocks.ts'
import type { Column } from '../../components/data-table.tsx'
import { fieldColumn } from '../../components/field-value.tsx'
import { ObjectLink } from '../../components/links.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import type { Page } from '../../data/api-client.ts'
import { type ListSource, useList } from '../../data/use-list.ts'
import { eventTypeFilter } from '../../data/use-live-feed.ts'
import { useApi } from '../../data/use-load.ts'

/** Counting the customers of a clock takes a request, so only the newest clocks have a count. */
const MAX_COUNTED = 20
const MAX_COUNT = 99

const CLOCKS: ListSource<TestClock> = {
  path: '/v1/test_helpers/test_clocks',
  query: {},
  isRelevant: eventTypeFilter(/^test_clock\./),
}

const COLUMNS: readonly Column<TestClock>[] = [
  {
    label: 'Clock',
    cell: ({ id, name }) => (
      <>
        <ObjectLink id={id}>
          <bdi class="clip">{name ?? id}</bdi>
        </ObjectLink>
        {name !== null && <div class="id quiet">{id}</div>}
      </>
    ),
  },
  fieldColumn('status'),
  { ...fieldColumn('frozen_time'), label: 'Its time (UTC)' },
  {
    ...{ label: 'Customers', isNumber: true },
    cell: ({ id }, at) => (at < MAX_COUNTED ? <CustomerCount clock={id} /> : '–'),
  },
  fieldColumn('created'),
]

/** Shows the test clocks, newest first. */
export function ClockList() {
  return (
    <div class="stack">
      <div>
        <h1>Clock lab</h1>
        <p class="quiet">
          A test clock has its own time, which moves only when you advance it: months of renewals in seconds.
        </p>
      </div>
      <ListView
        {...{ list: useList(CLOCKS), columns: COLUMNS, noun: 'clock' }}
        empty={
          <EmptyState title="No test clocks yet" command="paycli clock create --at 2026-01-01">
            <p class="quiet">
              Create a clock, then customers on it with <code>--test-clock</code>. Or let a scene make all of
              it, such as <code>paycli trigger subscription.renewed</code>.
            </p>
          </EmptyState>
        }
      />
    </div>
  )
}

function CustomerCount({ clock }: { readonly clock: string }) {
  const { data } = useApi<Page<object>>('/v1/customers', { test_clock: clock, limit: MAX_COUNT })
  if (data === null) return <>…</>
  return <>{data.has_more ? `${MAX_COUNT}+` : data.data.length}</>
}
