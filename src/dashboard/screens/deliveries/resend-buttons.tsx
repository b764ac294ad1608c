import { useEffect, useRef, useState } from 'preact/hooks'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { ObjectLink } from '../../components/links.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { get, type Page, post, type Query, RequestError } from '../../data/api-client.ts'
import { MAX_SEARCHED, type ResendProgress, resendAllFailed } from './resend-all.ts'

const PAGE_SIZE = 100

interface ResendProps {
  readonly delivery: WebhookDelivery
  readonly onResent: () => void
}

/** Sends the event of a delivery to its endpoint again. */
export function ResendButton({ delivery, onResent }: ResendProps) {
  const [state, setState] = useState<{ isSending: boolean; sent: string | null; error: RequestError | null }>(
    { isSending: false, sent: null, error: null },
  )
  const resend = async () => {
    setState({ isSending: true, sent: null, error: null })
    try {
      const { data } = await postResend(delivery)
      setState({ isSending: false, sent: data[0]?.id ?? null, error: null })
      onResent()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setState({ isSending: false, sent: null, error })
    }
  }
  return (
    <>
      <div class="row">
        <button type="button" class="primary" disabled={state.isSending} onClick={resend}>
          Resend
        </button>
        <span role="status">
          {state.sent !== null && (
            <>
              Resent as <ObjectLink id={state.sent} />
            </>
          )}
        </span>
      </div>
      {state.error !== null && <ErrorNote error={state.error} />}
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
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<RequestError | null>(null)
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const run = async () => {
    isStopped.current = false
    setRunning(true)
    setError(null)
    setProgress(null)
    const options = {
      read: (after: string | undefined) =>
        get<Page<WebhookDelivery>>('/v1/webhook_deliveries', {
          ...{ ...query, limit: PAGE_SIZE, starting_after: after },
        }),
      resend: resendOne,
      onProgress: setProgress,
      isStopped: () => isStopped.current,
    }
    try {
      await resendAllFailed(options)
    } catch (failure) {
      if (!(failure instanceof RequestError)) throw failure
      setError(failure)
    }
    setRunning(false)
    onResent()
  }
  return (
    <div class="row resend-all">
      <span role="status">{progress !== null && describeProgress(progress, isRunning)}</span>
      {progress !== null && isRunning && (
        <progress aria-label="Resent events" value={doneOf(progress)} max={progress.total} />
      )}
      {isRunning ? (
        <button
          type="button"
          onClick={() => {
            isStopped.current = true
          }}
        >
          Stop
        </button>
      ) : (
        <button type="button" onClick={run}>
          Resend all failed
        </button>
      )}
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
