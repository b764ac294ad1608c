import { coupons } from '../../src/api/operations/coupons.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(coupons.retrieve, {
  summary: 'Retrieve a coupon',
  examples: ['coup_4bT9…', 'SPRING-25 --field times_redeemed'],
})
