import { faults } from '../../src/api/operations/faults.ts'
import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { faultFlags, getFaultParams, requireFaultType } from '../../src/cli/parse/fault-flags.ts'
import { textArg } from '../../src/cli/parse/flag-builders.ts'
import { objectCreationFlags } from '../../src/cli/parse/mutation-flags.ts'
import { readFileAndDataParams } from '../../src/cli/request/call.ts'

const { create } = faults

export default class FaultsAdd extends BaseCommand {
  static override summary = 'Make requests, deliveries or payments fail'
  static override description = [
    'Simulates a fault until you delete it. To limit it, use --skip, --times, --probability or --expires-at. Stored data does not change, except for the decisions on payments. Request logs and delivery attempts name the fault that applied to them.',
    'On API requests: delay_request and delay_response wait before and after the request is executed. drop_request closes the connection without executing the request, and drop_response executes the request first. truncate_response cuts the body, slow_response sends it slowly. error returns --status without executing the request. Select requests with --operation.',
    'On webhook deliveries: duplicate sends an event several times. delay_delivery waits, hold waits until you delete the fault, swap sends the next event first. overlap sends the next event without waiting for the response. early delivers the events of an API request before its response. drop_attempt sends nothing and counts as a failed attempt. bad_signature and old_timestamp are requests that your handler must reject. Select deliveries with --events and --endpoint.',
    'On payments: decline declines the card, issuer_unavailable fails with processing_error, processing delays the decision. Select payments with --customer.',
  ].join('\n\n')
  static override args = {
    fault: textArg({ description: 'Type of the fault, such as duplicate or drop_response.' }),
  }
  static override flags = { ...faultFlags, ...objectCreationFlags }
  static override examples = toExamples([
    "duplicate --events 'payment.*' --times 2",
    'drop_response --operation payment_sessions.create --times 1',
    'error --status 503 --retry-after 2 --probability 50 --seed 7',
    'delay_delivery --delay 500ms --events invoice.paid',
    'decline --decline-code insufficient_funds --customer cus_4bT9…',
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const flagParams = getFaultParams(words[0], flags)
    const params = { ...(await readFileAndDataParams(create, flags, flagParams)), ...flagParams }
    requireFaultType(params)
    const fault = await this.client().call(create, params)
    const note = `paycli faults list counts its matches. To end the fault:\n  paycli faults delete ${fault.id}`
    this.print(fault, () => note)
  }
}
