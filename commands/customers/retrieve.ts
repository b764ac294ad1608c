import { customers } from '../../src/api/operations/customers.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(customers.retrieve, {
  summary: 'Retrieve a customer',
  examples: ['cus_4bT9…', 'cus_4bT9… --json', 'cus_4bT9… --field id'],
})
