import { listOperation } from './lists.ts'
import { retrieveOperation } from './retrieving.ts'
import { choice, id } from './schema.ts'

/** What is owed for one period of a subscription. */
export const invoices = {
  list: listOperation({
    collection: 'invoices',
    path: '/v1/invoices',
    summary: 'Lists invoices, newest first.',
    filters: {
      customer: id('Only invoices of this customer.'),
      subscription: id('Only invoices of this subscription.'),
      status: choice(['draft', 'open', 'paid', 'void', 'uncollectible'], 'Only invoices in this state.'),
    },
    ranges: ['created', 'due_date'],
  }),
  retrieve: retrieveOperation('invoices', 'Retrieves an invoice.'),
}
