import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(invoices.void, { summary: 'Void an invoice' })
