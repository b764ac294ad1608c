import { toExamples } from '../../src/cli/command/base-command.ts'
import { textArg } from '../../src/cli/parse/flag-builders.ts'
import type { CommandInput } from '../../src/cli/request/call.ts'
import CardSessionsCreate from '../card-sessions/create.ts'

export default class CardsUpdate extends CardSessionsCreate {
  static override summary = "Create a page to update a customer's card"
  static override args = { customer: textArg({ description: 'Customer, in place of --customer.' }) }
  static override examples = toExamples([
    'cus_4bT9… --open --wait',
    '--customer cus_4bT9… --subscription sub_4bT9… --field url',
  ])

  protected override async readInput(words?: readonly string[]): Promise<CommandInput> {
    const input = await super.readInput(words)
    const [customer = input.flags['customer']] = input.words
    return { ...input, flags: { ...input.flags, customer } }
  }
}
