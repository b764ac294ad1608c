import { coupons } from '../../src/api/operations/coupons.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(coupons.update, {
  summary: 'Update the name and metadata of a coupon',
  examples: ["coup_4bT9… --name 'Spring offer'", "coup_4bT9… --name '' --metadata campaign=spring"],
})
