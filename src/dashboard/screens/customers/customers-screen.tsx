import { useEffect, useState } from 'preact/hooks'
import type { Customer } from '../../../domain/payments/customers.ts'
import { countOf } from '../../../presentation/words.ts'
import { ObjectLink } from '../../components/links.tsx'
import { LoadedListView } from '../../components/loaded-list.tsx'
import { EmptyState } from '../../components/states.tsx'
import { UtcTime } from '../../components/values.tsx'
import { type ListSource, useList } from '../../data/use-list.ts'
import { formatField } from '../../format/format-field.ts'
import { replaceQuery, useRoute } from '../../routing/router.ts'

/** Shows the customers of the sandbox, with a search. */
export function CustomersScreen() {
  const text = useRoute().query.get('q') ?? ''
  const list = useList(customerSource(text))
  const { items: customers, hasMore } = list
  return (
    <div class="stack">
      <h1>Customers</h1>
      <CustomerSearch text={text} />
      <LoadedListView list={list} more={text === '' ? 'Load older customers' : 'Search older customers'}>
        {customers !== null && (
          <p class="quiet" role="status">
            {countOf(customers.length, 'customer')}
            {hasMore && ' so far'}
            {text !== '' && ` with “${text}” in e-mail address, name or id`}
          </p>
        )}
        {customers !== null && customers.length > 0 && <CustomerTable customers={customers} />}
        {customers?.length === 0 && !hasMore && text === '' && (
          <EmptyState title="No customers yet" command="paycli customers create --email ada@example.com">
            <p class="quiet">Sessions, subscriptions and cards belong to a customer.</p>
          </EmptyState>
        )}
      </LoadedListView>
    </div>
  )
}

const TYPING_MS = 200

function CustomerSearch({ text }: { readonly text: string }) {
  const [typed, setTyped] = useState(text)
  // Back and Forward change the URL too.
  useEffect(() => setTyped(text), [text])
  useEffect(() => {
    if (typed.trim() === text) return
    const timer = setTimeout(() => replaceQuery(typed.trim() === '' ? {} : { q: typed.trim() }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, text])
  return (
    <search class="panel filters">
      <div class="filter customer-search">
        <label for="customer-search">E-mail address, name or id</label>
        <input
          id="customer-search"
          type="search"
          value={typed}
          placeholder="ada@example.com"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
    </search>
  )
}

function CustomerTable({ customers }: { readonly customers: readonly Customer[] }) {
  return (
    <table class="customer-table">
      <thead>
        <tr>
          <th scope="col">E-mail address</th>
          <th scope="col">Name</th>
          <th scope="col">Card</th>
          <th scope="col">Time</th>
          <th scope="col">Created</th>
          <th scope="col">Customer</th>
        </tr>
      </thead>
      <tbody>
        {customers.map((customer) => (
          <CustomerRow key={customer.id} customer={customer} />
        ))}
      </tbody>
    </table>
  )
}

function CustomerRow({ customer }: { readonly customer: Customer }) {
  const { id, email, name, default_payment_method, test_clock, created, balances } = customer
  const credit = Object.keys(balances).length > 0
  return (
    <tr>
      <td class="cell-email">
        <ObjectLink id={id}>
          <bdi class="clip">{email}</bdi>
        </ObjectLink>
      </td>
      <td>
        <bdi class="clip">{name ?? <span class="quiet">–</span>}</bdi>
        {credit && <div class="quiet">Balance {formatField('balances', balances, null).text}</div>}
      </td>
      <td>{default_payment_method === null ? <span class="quiet">no card</span> : 'saved card'}</td>
      <td>{test_clock === null ? <span class="quiet">real time</span> : 'test clock'}</td>
      <td>
        <UtcTime at={created} />
      </td>
      <td>
        <ObjectLink id={id} />
      </td>
    </tr>
  )
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Returns the source of customers that have a text in their e-mail address, name or id. */
function customerSource(text: string): ListSource<Customer> {
  const wanted = text.toLowerCase()
  return {
    path: '/v1/customers',
    // The API finds a whole address among all customers; a part of one is searched page by page.
    query: EMAIL.test(text) ? { email: text } : {},
    search: text,
    isWanted: ({ id, email, name }) =>
      [id, email, name ?? ''].some((value) => value.toLowerCase().includes(wanted)),
    isRelevant: ({ type }) => type.startsWith('customer.'),
  }
}
