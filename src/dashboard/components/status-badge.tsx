import type { JsonObject } from '../../domain/core/json-object.ts'
import { statusToneOf } from '../../presentation/status-tones.ts'

/** Shows a status as a word on a color; the color adds no information. */
export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`badge ${statusToneOf(status) ?? 'quiet'}`}>{status.replaceAll('_', ' ')}</span>
}

/** Shows the status of an HTTP response; null without a response. */
export function HttpStatus({ status }: { readonly status: number | null }) {
  return (
    <span class={`badge ${status === null ? 'bad' : statusToneOf(status)}`}>{status ?? 'no response'}</span>
  )
}

/** Shows the status of an object: its word, the status of a response, or both; nothing without a status. */
export function ObjectStatusBadges({
  object: { status, http_status: response },
}: {
  readonly object: JsonObject
}) {
  return (
    <>
      {typeof status === 'string' && <StatusBadge status={status} />}
      {typeof status === 'number' && <HttpStatus status={status} />}
      {typeof response === 'number' && <HttpStatus status={response} />}
    </>
  )
}
