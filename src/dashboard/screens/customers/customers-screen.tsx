import type { Customer } from '../../../domain/payments/customers.ts'
import type { Column } from '../../components/data-table.tsx'
import { fieldColumn } from '../../components/field-value.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { ObjectLink } from '../../components/links.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { EMAIL_PATTERN } from '../../data/search-matching.ts'
import { useFilters } from '../../data/use-filters.ts'
import { type ListSource, useList } from '../../data/use-list.ts'
import { eventTypeFilter } from '../../data/use-live-feed.ts'

const FIELDS = [{ name: 'q', label: 'E-mail address, name or id', placeholder: 'ada@example.com' }]

const COLUMNS: readonly Column<Customer>[] = [
  {
    label: 'E-mail address',
    cell: ({ id, email }) => (
      <ObjectLink id={id}>
        <bdi class="clip">{email}</bdi>
      </ObjectLink>
    ),
  },
  ...['name', 'default_payment_method', 'test_clock', 'balances', 'created', 'id'].map((path) =>
    fieldColumn<Customer>(path),
  ),
]

/** Shows the customers of the sandbox, with a search. */
export function CustomersScreen() {
  const { values, isFiltered } = useFilters(['q'])
  return (
    <div class="stack">
      <h1>Customers</h1>
      <FilterBar fields={FIELDS} />
      <ListView
        {...{ list: useList(customerSource(values.q)), columns: COLUMNS, noun: 'customer', isFiltered }}
        empty={
          <EmptyState title="No customers yet" command="paycli customers create --email ada@example.com">
            <p class="quiet">Sessions, subscriptions and cards belong to a customer.</p>
          </EmptyState>
        }
      />
    </div>
  )
}

/** Returns the source of customers that have a text in their e-mail address, name or id. */
function customerSource(text: string): ListSource<Customer> {
  const wanted = text.toLowerCase()
  return {
    path: '/v1/customers',
    // The API finds a whole address among all customers; part of an address is searched page by page.
    query: EMAIL_PATTERN.test(text) ? { email: text } : {},
    search: text,
    isWanted: ({ id, email, name }) =>
      [id, email, name ?? ''].some((value) => value.toLowerCase().includes(wanted)),
    isRelevant: eventTypeFilter(/^customer\./),
  }
}
