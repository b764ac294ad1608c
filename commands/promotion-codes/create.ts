import { promotionCodes } from '../../src/api/operations/promotion-codes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(promotionCodes.create, {
  summary: 'Create a promotion code',
  examples: [
    '--coupon coup_4bT9… --code SPRING-25',
    '--coupon coup_4bT9… --first-time-only --max-redemptions 100 --expires-at 2026-12-31',
    '--coupon coup_4bT9… --field code',
  ],
})
