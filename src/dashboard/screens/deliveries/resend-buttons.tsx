import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { ObjectLink } from '../../components/links.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { get, type Page, post, type Query, RequestError } from '../../data/api-client.ts'
import { useAction } from '../../data/use-action.ts'
import { MAX_SEARCHED, type ResendProgress, resendAllFailed } from './resend-all.ts'

const PAGE_SIZE = 100

interface ResendProps {
  readonly delivery: WebhookDelivery
  readonly onResent: () => void
}

/** Sends the event of a delivery to its endpoint again. */
export function ResendButton({ delivery, onResent }: ResendProps) {
  const { isRunning, result, error, run } = useAction(async () => {
    const { data } = await postResend(delivery)
    onResent()
    return data[0]?.id ?? null
  })
  return (
    <>
      <div class="row">
        <button type="button" class="primary" aria-disabled={isRunning} onClick={run}>
          Resend
        </button>
        <span role="status">
          {result !== null && (
            <>
              Resent as <ObjectLink id={result} />
            </>
          )}
        </span>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </>
  )
}

function postResend({ event, webhook_endpoint }: WebhookDelivery): Promise<Page<WebhookDelivery>> {
  return post<Page<WebhookDelivery>>(`/v1/events/${event}/resend`, { webhook_endpoint })
}

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
    await resendAllFailed({
      read: (after) => get('/v1/webhook_deliveries', { ...query, limit: PAGE_SIZE, starting_after: after }),
      resend: resendOne,
      onProgress: setProgress,
      isStopped: () => isStopped.current,
    }).finally(onResent)
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

async function resendOne(delivery: WebhookDelivery): Promise<string | null> {
  try {
    await postResend(delivery)
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
