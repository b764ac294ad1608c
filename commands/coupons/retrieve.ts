import { coupons } from '../../src/api/operations/coupons.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(coupons.retrieve, {
  summary: 'Retrieve a coupon',
  examples: ['coup_4bT9…', 'SPRING-25 --field times_redeemed'],
})
