import type { ListenRecord } from '../../client/listen-records.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { printData, printNote } from '../output/output.ts'
import { type OutputForm, renderEntryFields } from '../output/render-response.ts'
import type { ListenOutput } from './listen-flags.ts'
import { formatListenRecord } from './listen-lines.ts'

/** Creates a printer of records. Connection states go to stderr, except with the output format `json`. */
export function createListenPrinter(
  output: Exclude<ListenOutput, 'tui'>,
  form: OutputForm,
  nowMs: () => number,
  isBodyShown = false,
): (record: ListenRecord) => void {
  const format = (record: ListenRecord) => formatListenRecord(record, form.style, nowMs(), isBodyShown)
  let hasBeenReady = false
  return (record) => {
    const isState = record.type === 'state' || record.type === 'reset'
    if (record.type === 'state' && record.state === 'ready') hasBeenReady = true
    if (form.fields.length > 0) {
      if (record.type === 'event') printData(renderEntryFields(record.event, form.fields))
      else if (isProblem(record)) printNote(format(record).trimEnd())
    } else if (output === 'json') {
      // Scripts can wait for the first line, because it says ready.
      if (hasBeenReady) printData(`${sanitizeText(JSON.stringify(record))}\n`)
    } else if (isState) {
      printNote(format(record).trimEnd())
    } else if (output === 'compact') {
      printData(format(record))
    } else if (record.type === 'delivery' && record.error !== null) {
      printNote(format(record).trimEnd())
    }
  }
}

/** Creates a printer of events only: a line each on a terminal, else JSON documents, or the chosen fields. */
export function createTailPrinter(form: OutputForm, nowMs: () => number): (record: ListenRecord) => void {
  const isPlainJson = form.format === 'json' && form.fields.length === 0
  const print = createListenPrinter('compact', form, nowMs)
  return (record) => {
    if (isPlainJson && record.type === 'event') printData(`${sanitizeText(JSON.stringify(record.event))}\n`)
    else if (!isPlainJson || isProblem(record)) print(record)
  }
}

function isProblem(record: ListenRecord): boolean {
  return record.type === 'reset' || (record.type === 'state' && record.reason !== null)
}
