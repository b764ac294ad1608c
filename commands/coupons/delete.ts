import { coupons } from '../../src/api/operations/coupons.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(coupons.delete, { summary: 'Delete a coupon' })
