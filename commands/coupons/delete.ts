import { coupons } from '../../src/api/operations/coupons.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(coupons.delete, { summary: 'Delete a coupon' })
