import { toExamples } from '../../src/cli/command/base-command.ts'
import { getStatesFolder, StateCommand } from '../../src/cli/command/state-command.ts'
import { formatRows } from '../../src/cli/views/list-view.ts'
import type { RenderedText, ViewOptions } from '../../src/cli/views/view-options.ts'
import { listStates, type SavedState } from '../../src/daemon/states.ts'

export default class StateList extends StateCommand {
  static override summary = 'List saved states, newest first'
  static override aliases = ['state:ls']
  static override flags = {}
  static override examples = toExamples(['', "--field '[].name'"])

  override async run(): Promise<void> {
    await this.readInput()
    const states = await listStates(getStatesFolder())
    this.printView(states, (_, view) =>
      states.length === 0 ? 'No saved states.\n' : formatStates(states, view),
    )
  }
}

function formatStates(states: readonly SavedState[], view: ViewOptions): RenderedText {
  const secondsOf = (iso: string) => Math.floor(Date.parse(iso) / 1000)
  const rows = states.map((state) => ({ ...state, saved_at: secondsOf(state.saved_at) }))
  return formatRows(rows, ['name', 'saved_at', 'bytes', 'sandbox', 'database'], view)
}
