import type { FlagInput } from '@oclif/core/interfaces'
import { projections } from '../src/api/operations/projections.ts'
import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { createParamFlags } from '../src/cli/parse/flags.ts'
import { createIdArg } from '../src/cli/parse/id-arg.ts'
import { getParamsFromFlags } from '../src/cli/parse/params.ts'
import { formatProjection, formatProjectionNote } from '../src/cli/projections/projection-view.ts'

const OBJECTS = ['subscription', 'test_clock']

export default class Upcoming extends BaseCommand {
  static override summary = 'Show the future events of a subscription or test clock'
  static override description =
    'Prints the renewals, retries, cancellations and other events that follow if no request changes the subscription or the objects on the test clock. Changes nothing. Times are in UTC, on the clock of the object. Objects that do not exist yet have ids such as in_projected_1.'
  static override args = createIdArg('sub_4bT9… or clock_4bT9…')
  static override flags: FlagInput = createParamFlags(projections.retrieve.params, { omit: OBJECTS })
  static override examples = toExamples([
    'sub_4bT9…',
    'clock_4bT9… --until 2027-01-01 --limit 1000',
    "sub_4bT9… --field 'data[].type'",
  ])

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const params = getParamsFromFlags(projections.retrieve.params, flags, OBJECTS)
    const object = selectObject(id)
    const projection = await this.client().call(projections.retrieve, { ...params, ...object })
    this.printView(
      projection,
      (_, view) => formatProjection(projection, view),
      () => formatProjectionNote(projection),
    )
  }
}

function selectObject(id: string): { readonly subscription: string } | { readonly test_clock: string } {
  if (id.startsWith('sub_')) return { subscription: id }
  if (id.startsWith('clock_')) return { test_clock: id }
  throw new UsageError('argument_invalid', `'${id}' is not the id of a subscription or a test clock.`, {
    param: 'id',
    hint: 'Give an id that starts with sub_ or clock_. List them: paycli subscriptions list',
  })
}
