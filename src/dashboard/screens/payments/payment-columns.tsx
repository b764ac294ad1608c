import { formatAmount } from '../../../domain/core/currencies.ts'
import type { Payment } from '../../../domain/payments/payments.ts'
import { formatCard, getInstrumentDetails } from '../../../presentation/card-brands.ts'
import { findFailureReason } from '../../../presentation/words.ts'
import type { DataTableColumn } from '../../components/data-table.tsx'
import { Amount, createFieldColumn, ObjectLink, StatusBadge } from '../../components/values.tsx'

/** Returns the columns of payments; `emails` has the email addresses of customers by id. */
export function createPaymentColumns(
  emails: ReadonlyMap<string, string>,
): readonly DataTableColumn<Payment>[] {
  return [
    AMOUNT,
    { label: 'Status', cell: (payment) => <PaymentStatus payment={payment} /> },
    {
      label: 'Customer',
      cell: ({ customer, description }) => (
        <>
          <ObjectLink id={customer}>
            <bdi class="clip">{emails.get(customer) ?? customer}</bdi>
          </ObjectLink>
          {description !== null && <bdi class="clip quiet">{description}</bdi>}
        </>
      ),
    },
    {
      label: 'Card',
      cell: (payment) => <bdi>{formatCard(getInstrumentDetails(payment.payment_method_details))}</bdi>,
    },
    createFieldColumn('origin'),
    createFieldColumn('created'),
    { label: 'Payment', cell: ({ id }) => <ObjectLink id={id} /> },
  ]
}

const AMOUNT: DataTableColumn<Payment> = {
  ...{ label: 'Amount', isNumber: true },
  cell: ({ amount, amount_captured, status, currency, amount_refunded, refunded, amount_disputed }) => (
    <>
      <strong>
        <Amount amount={amount} currency={currency} />
      </strong>
      {Object.entries({
        captured: status === 'succeeded' && amount_captured < amount ? amount_captured : 0,
        [refunded ? 'refunded in full' : 'refunded']: amount_refunded,
        disputed: amount_disputed,
      }).map(
        ([word, part]) => part > 0 && <div class="quiet">{`${formatAmount(part, currency)} ${word}`}</div>,
      )}
    </>
  ),
}

function PaymentStatus({ payment }: { readonly payment: Payment }) {
  const reason = findFailureReason(payment)
  const { advice } = payment.outcome
  return (
    <>
      <StatusBadge status={payment.status} />
      {reason !== null && (
        <div title={payment.failure_message ?? undefined}>
          {reason}
          {advice !== null && payment.status === 'failed' && (
            <span class="quiet"> · {advice.replaceAll('_', ' ')}</span>
          )}
        </div>
      )}
    </>
  )
}
