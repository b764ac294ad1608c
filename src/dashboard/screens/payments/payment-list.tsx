import type { Customer } from '../../../domain/payments/customers.ts'
import type { Payment } from '../../../domain/payments/payments.ts'
import { formatCard } from '../../../presentation/card-brands.ts'
import { countOf, failureReason } from '../../../presentation/words.ts'
import { ObjectLink } from '../../components/links.tsx'
import { LoadedListView } from '../../components/loaded-list.tsx'
import { EmptyState } from '../../components/states.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Amount, UtcTime } from '../../components/values.tsx'
import type { Page } from '../../data/api-client.ts'
import { useApi } from '../../data/use-api.ts'
import type { LoadedList } from '../../data/use-list.ts'
import type { PaymentFilters } from './payment-filters.ts'

interface PaymentListProps {
  readonly found: LoadedList<Payment>
  readonly filters: PaymentFilters
  readonly onChange: (changes: Partial<PaymentFilters>) => void
}

/** Shows the payments that match the filters, newest first. */
export function PaymentList({ found, filters, onChange }: PaymentListProps) {
  const { items: payments, hasMore } = found
  const customers = useApi<Page<Customer>>('/v1/customers', { limit: 100 })
  const emails = new Map((customers.data?.data ?? []).map(({ id, email }) => [id, email]))
  return (
    <section class="stack" aria-labelledby="payment-list">
      <h2 id="payment-list">
        {payments === null ? 'Payments' : countOf(payments.length, 'payment')}
        {hasMore && ' so far'}
      </h2>
      <LoadedListView list={found} more="Load older payments">
        {payments !== null && payments.length === 0 && (
          <NoPayments filters={filters} onChange={onChange} hasMore={hasMore} />
        )}
        {payments !== null && payments.length > 0 && (
          <table class="payment-table">
            <thead>
              <tr>
                <th scope="col" class="number">
                  Amount
                </th>
                <th scope="col">Status</th>
                <th scope="col">Customer</th>
                <th scope="col">Card</th>
                <th scope="col">Created</th>
                <th scope="col">Payment</th>
              </tr>
            </thead>
            <tbody>
              {payments.map((payment) => (
                <PaymentRow key={payment.id} payment={payment} email={emails.get(payment.customer)} />
              ))}
            </tbody>
          </table>
        )}
      </LoadedListView>
    </section>
  )
}

interface PaymentRowProps {
  readonly payment: Payment
  readonly email: string | undefined
}

function PaymentRow({ payment, email }: PaymentRowProps) {
  const { id, amount, currency, amount_refunded, refunded, status, customer, created } = payment
  const reason = failureReason(payment)
  const advice = payment.outcome.advice
  return (
    <tr>
      <td class="number cell-amount">
        <strong>
          <Amount amount={amount} currency={currency} />
        </strong>
        {amount_refunded > 0 && (
          <div class="refunded">
            {refunded ? (
              'refunded in full'
            ) : (
              <>
                <Amount amount={amount_refunded} currency={currency} /> refunded
              </>
            )}
          </div>
        )}
      </td>
      <td class="cell-status">
        <StatusBadge status={status} />
        {reason !== null && (
          <div title={payment.failure_message ?? undefined}>
            {reason}
            {advice !== null && status === 'failed' && (
              <span class="quiet"> · {advice.replaceAll('_', ' ')}</span>
            )}
          </div>
        )}
      </td>
      <td class="cell-customer">
        <ObjectLink id={customer}>
          <bdi class="clip">{email ?? customer}</bdi>
        </ObjectLink>
        {payment.description !== null && <bdi class="clip quiet">{payment.description}</bdi>}
      </td>
      <td class="cell-card">
        <bdi>{formatCard(payment.payment_method_details.card)}</bdi>
        <div class="quiet">{describeOrigin(payment)}</div>
      </td>
      <td class="cell-time">
        <UtcTime at={created} />
      </td>
      <td class="cell-id">
        <ObjectLink id={id} />
      </td>
    </tr>
  )
}

const ORIGINS: Readonly<Record<Payment['origin'], string>> = {
  api: 'charged by the API',
  checkout_session: 'checkout page',
  payment_session: 'payment page',
  invoice: 'invoice',
}

function describeOrigin({ origin, off_session }: Payment): string {
  return origin === 'invoice' && !off_session ? 'invoice page' : ORIGINS[origin]
}

function NoPayments({
  filters,
  onChange,
  hasMore,
}: Omit<PaymentListProps, 'found'> & { readonly hasMore: boolean }) {
  const { status, customer, from, to } = filters
  const isFiltered = [status, customer, from, to].some((filter) => filter !== '')
  if (hasMore) return <p>None of the newest payments passes the filters. Older ones may.</p>
  if (!isFiltered)
    return (
      <EmptyState title="No payments yet" command="paycli trigger payment.succeeded">
        <p class="quiet">Each attempt to charge a card is shown here, with its outcome and the reason.</p>
      </EmptyState>
    )
  return (
    <div class="empty">
      <p>
        <strong>No payment passes the filters</strong>
      </p>
      <button type="button" onClick={() => onChange({ status: '', customer: '', from: '', to: '' })}>
        Clear filters
      </button>
    </div>
  )
}
