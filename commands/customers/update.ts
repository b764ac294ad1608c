import { customers } from '../../src/api/operations/customers.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(customers.update, {
  summary: 'Update a customer',
  examples: ["cus_4bT9… --name 'Ada Lovelace'", "cus_4bT9… --phone '' --metadata tier=gold"],
})
