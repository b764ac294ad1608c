import type { ListenRecord } from '../../client/listen-records.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { printData, printNote } from '../output/output.ts'
import { type OutputForm, renderFields } from '../output/render-response.ts'
import type { ListenOutput } from './listen-flags.ts'
import { listenLines } from './listen-lines.ts'

export interface ListenPrinting {
  readonly output: Exclude<ListenOutput, 'tui'>
  readonly form: OutputForm
  readonly isBodyShown: boolean
  /** The wall clock in milliseconds. */
  readonly nowMs: () => number
}

/** Prints records as they come; how the connection is goes to stderr, except where a script reads along. */
export function createListenPrinter(printing: ListenPrinting): (record: ListenRecord) => void {
  const { output, form } = printing
  const lines = { style: form.style, isBodyShown: printing.isBodyShown, nowMs: printing.nowMs }
  let hasBeenReady = false
  return (record) => {
    const isState = record.type === 'state' || record.type === 'reset'
    if (record.type === 'state' && record.state === 'ready') hasBeenReady = true
    if (form.fields.length > 0) {
      if (record.type === 'event') printData(renderFields(record.event, form.fields))
      else if (isTrouble(record)) printNote(listenLines(record, lines).trimEnd())
    } else if (output === 'json') {
      // The first line says ready, so that a script can wait for it.
      if (hasBeenReady) printData(`${sanitizeText(JSON.stringify(record))}\n`)
    } else if (isState) {
      printNote(listenLines(record, lines).trimEnd())
    } else if (output === 'compact') {
      printData(listenLines(record, lines))
    } else if (record.type === 'delivery' && record.error !== null) {
      printNote(listenLines(record, lines).trimEnd())
    }
  }
}

/** Prints events alone: for people a line each, else one JSON document each, or the fields that were asked for. */
export function createTailPrinter(form: OutputForm, nowMs: () => number): (record: ListenRecord) => void {
  const isPlain = form.format === 'json' && form.fields.length === 0
  const print = createListenPrinter({ output: 'compact', form, isBodyShown: false, nowMs })
  return (record) => {
    if (isPlain && record.type === 'event') printData(`${sanitizeText(JSON.stringify(record.event))}\n`)
    else if (!isPlain || isTrouble(record)) print(record)
  }
}

// A script that asked for JSON or fields hears of nothing but what goes wrong.
function isTrouble(record: ListenRecord): boolean {
  return record.type === 'reset' || (record.type === 'state' && record.reason !== null)
}
