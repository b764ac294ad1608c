import { invoices } from '../../src/api/operations/invoices.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoices.void, { summary: 'Void an invoice' })
