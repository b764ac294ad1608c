import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(invoices.markUncollectible, {
  summary: 'Mark an open invoice as uncollectible',
})
