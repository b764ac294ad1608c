import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { ErrorNote } from '../../components/placeholders.tsx'
import { get, type Page, post, type Query, RequestError } from '../../data/api-client.ts'
import { useAction } from '../../data/use-action.ts'
import { MAX_SEARCHED, type ResendProgress, resendAllFailed } from './resend-all.ts'

const PAGE_SIZE = 100

interface ResendAllProps {
  /** The filters of the list, without its status. */
  readonly query: Query
  readonly onResent: () => void
}

/** Sends all events again whose newest attempt failed, with progress and result. */
export function ResendAllButton({ query, onResent }: ResendAllProps) {
  const [progress, setProgress] = useState<ResendProgress | null>(null)
  const isStopped = useRef(false)
  const stop = useCallback(() => {
    isStopped.current = true
  }, [])
  useEffect(() => stop, [stop])
  const { isRunning, error, run } = useAction(async () => {
    isStopped.current = false
    setProgress(null)
    const read = (after?: string) =>
      get<Page<WebhookDelivery>>('/v1/webhook_deliveries', {
        ...query,
        limit: PAGE_SIZE,
        starting_after: after,
      })
    try {
      for await (const next of resendAllFailed({ read, resend: resendOne })) {
        setProgress(next)
        if (isStopped.current) break
      }
    } finally {
      onResent()
    }
  })
  return (
    <div class="row push">
      <span role="status">{progress !== null && describeProgress(progress, isRunning)}</span>
      {progress !== null && isRunning && (
        <progress aria-label="Resent events" value={doneOf(progress)} max={progress.total} />
      )}
      <button type="button" onClick={isRunning ? stop : run}>
        {isRunning ? 'Stop' : 'Resend all failed'}
      </button>
      {error !== null && <ErrorNote error={error} />}
    </div>
  )
}

async function resendOne({ event, webhook_endpoint }: WebhookDelivery): Promise<string | null> {
  try {
    await post(`/v1/events/${event}/resend`, { webhook_endpoint })
    return null
  } catch (error) {
    // A lost connection ends the run; another error concerns this event only.
    if (error instanceof RequestError && error.status > 0) return error.message
    throw error
  }
}

function doneOf({ resent, errors }: ResendProgress): number {
  return resent + errors.length
}

function describeProgress(progress: ResendProgress, isRunning: boolean): string {
  const { total, resent, errors } = progress
  if (total === 0) return isRunning ? 'Searching …' : `None of the newest ${MAX_SEARCHED} attempts is failed.`
  const count = `Resent ${resent} of ${total} failed ${total === 1 ? 'delivery' : 'deliveries'}.`
  const [first] = errors
  if (first === undefined) return count
  return `${count} ${errors.length} could not be resent: ${first}`
}
