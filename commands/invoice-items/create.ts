import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoiceItems.create, {
  summary: 'Add a one-off fee or credit to a subscription',
  description:
    'The next invoice of the subscription bills the item. A negative price is a credit: --unit-amount=-500',
  examples: [
    "--subscription sub_4bT9… --description 'Replacement key' --unit-amount 2500 --tax-percent 20",
    '--subscription sub_4bT9… --description Hours --unit-amount 9000 --quantity 3',
    '--subscription sub_4bT9… --description Goodwill --unit-amount=-1000 --field id',
  ],
})
