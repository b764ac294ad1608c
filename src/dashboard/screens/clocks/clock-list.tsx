import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { ObjectLink } from '../../components/links.tsx'
import { LoadedListView } from '../../components/loaded-list.tsx'
import { EmptyState } from '../../components/states.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { UtcTime } from '../../components/values.tsx'
import type { Page } from '../../data/api-client.ts'
import { useApi } from '../../data/use-api.ts'
import { type ListSource, useList } from '../../data/use-list.ts'

const TITLE = 'Clock lab'
const CREATE = 'paycli clock create --at 2026-01-01'
/** Counting the customers of a clock takes a request, so only the newest clocks have a count. */
const MAX_COUNTED = 20
const MAX_COUNT = 99

const CLOCKS: ListSource<TestClock> = {
  path: '/v1/test_helpers/test_clocks',
  query: {},
  isRelevant: ({ type }) => type.startsWith('test_clock.'),
}

/** Shows the test clocks, newest first. */
export function ClockList() {
  const list = useList(CLOCKS)
  const { items } = list
  return (
    <div class="stack">
      <div>
        <h1>{TITLE}</h1>
        <p class="quiet">
          A test clock has its own time, which moves only when you advance it: months of renewals in seconds.
        </p>
      </div>
      <LoadedListView list={list} more="Load older clocks">
        {items?.length === 0 && (
          <EmptyState title="No test clocks yet" command={CREATE}>
            <p class="quiet">
              Create a clock, then customers on it with <code>--test-clock</code>. Or let a scene make all of
              it, such as <code>paycli trigger subscription.renewed</code>.
            </p>
          </EmptyState>
        )}
        {items !== null && items.length > 0 && <ClockTable clocks={items} />}
      </LoadedListView>
    </div>
  )
}

function ClockTable({ clocks }: { readonly clocks: readonly TestClock[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
    <section class="panel table-scroll" tabIndex={0} aria-label="Test clocks">
      <table class="clock-table">
        <thead>
          <tr>
            <th>Clock</th>
            <th>Its time (UTC)</th>
            <th>Status</th>
            <th class="number">Customers</th>
            <th>Created</th>
          </tr>
        </thead>
        <tbody>
          {clocks.map(({ id, name, frozen_time, status, created }, index) => (
            <tr key={id}>
              <td>
                {name !== null && (
                  <ObjectLink id={id}>
                    <bdi>{name}</bdi>
                  </ObjectLink>
                )}
                <div>{name === null ? <ObjectLink id={id} /> : <span class="id quiet">{id}</span>}</div>
              </td>
              <td>
                <UtcTime at={frozen_time} />
              </td>
              <td>
                <StatusBadge status={status} />
              </td>
              <td class="number">{index < MAX_COUNTED ? <CustomerCount clock={id} /> : '–'}</td>
              <td class="quiet">
                <UtcTime at={created} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function CustomerCount({ clock }: { readonly clock: string }) {
  const { data } = useApi<Page<object>>('/v1/customers', { test_clock: clock, limit: MAX_COUNT })
  if (data === null) return <>…</>
  return <>{data.has_more ? `${MAX_COUNT}+` : data.data.length}</>
}
