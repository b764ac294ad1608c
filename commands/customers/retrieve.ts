import { customers } from '../../src/api/operations/customers.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(customers.retrieve, {
  summary: 'Retrieve a customer',
  examples: ['cus_4bT9…', 'cus_4bT9… --json', 'cus_4bT9… --field id'],
})
