import { formatValue } from '../output/format-values.ts'
import { wrapText } from '../output/text-layout.ts'
import { alignColumns } from '../views/columns.ts'
import { createColumn, renderTable } from '../views/table.ts'
import type { RenderedText, ViewOptions } from '../views/view-options.ts'
import type { listTriggers, TriggerCommandResult } from './trigger.ts'

const GAP = '  '

/** Formats the events of a trigger as a table of objects, types and ids. The event that was triggered is bold. */
export function formatTriggerResult(
  { event, events }: TriggerCommandResult,
  view: Pick<ViewOptions, 'style' | 'width' | 'isWide'>,
): RenderedText {
  const toColumn = (heading: string, name: 'object' | 'type' | 'id') =>
    createColumn(heading, events, (one) => {
      const text = formatValue(one[name])
      return one.id === event ? { text, paint: view.style.bold } : text
    })
  const columns = [toColumn('object', 'object'), toColumn('type', 'type'), toColumn('event', 'id')]
  return renderTable(columns, view, view.style.dim)
}

/** Formats the event types with their causes; a cause is wrapped beside its event type. */
export function formatTriggers(
  triggers: ReturnType<typeof listTriggers>,
  { style, width }: ViewOptions,
): string {
  const types = alignColumns(triggers.map(({ type }) => [type])).map(([type = '']) => type + GAP)
  const lines = triggers.flatMap(({ how }, index) => {
    const [type = ''] = types.slice(index, index + 1)
    const [first = '', ...more] = wrapText(how, width - type.length).map(style.dim)
    return [type + first, ...more.map((line) => ' '.repeat(type.length) + line)]
  })
  return lines.map((line) => `${line}\n`).join('')
}
