import { customers } from '../../src/api/operations/customers.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(customers.create, {
  summary: 'Create a customer',
  examples: [
    '--email ada@example.com',
    "--email ada@example.com --name 'Ada Lovelace' --metadata order=1042",
    '--email ada@example.com --field id',
    '--email ada@example.com --test-clock clock_4bT9…',
    '--from-file customer.json',
    '--email ada@example.com --idempotency-key import-1042',
  ],
})
