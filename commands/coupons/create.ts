import { coupons } from '../../src/api/operations/coupons.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'

export default defineOperationCommand(coupons.create, {
  summary: 'Create a coupon',
  description: 'Give --percent-off, or --amount-off with --currency. The terms cannot be changed later.',
  flagsBefore: {
    id: string({ description: 'Your own id of the coupon, such as SPRING-25 (default: generated).' }),
  },
  params: ({ id }) => (id === undefined ? {} : { id }),
  examples: [
    '--percent-off 25',
    '--id SPRING-25 --percent-off 12.5 --duration repeating --duration-in-months 3',
    "--amount-off 500 --currency eur --duration forever --name 'Spring offer'",
    '--percent-off 100 --max-redemptions 50 --redeem-by 2026-12-31',
  ],
})
