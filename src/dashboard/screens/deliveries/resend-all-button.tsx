import { formatCountWithNoun } from '../../../presentation/words.ts'
import { ErrorNote } from '../../components/placeholders.tsx'
import { post } from '../../data/api-client.ts'
import { getRealTime } from '../../data/real-time.ts'
import { useAction } from '../../data/use-action.ts'

interface Recovery {
  readonly resent: number
  readonly has_more: boolean
}

interface ResendAllProps {
  /** The ids of the endpoints. */
  readonly endpoints: readonly string[]
  readonly onResent: () => void
}

/** The maximum age in seconds of an event that the server sends again. */
const RECOVERED_SECONDS = 14 * 86_400 - 60

/**
 * Shows a button that sends all missed events again and then shows their number. The button sends one request for each
 * endpoint, because the events of an endpoint that still fails are missed again immediately.
 */
export function ResendAllButton({ endpoints, onResent }: ResendAllProps) {
  const { isRunning, result, error, run } = useAction(async () => {
    const recoveries: Recovery[] = []
    const body = { since: getRealTime() - RECOVERED_SECONDS }
    for (const id of endpoints)
      recoveries.push(await post<Recovery>(`/v1/webhook_endpoints/${id}/recover`, body).finally(onResent))
    const resent = recoveries.reduce((sum, recovery) => sum + recovery.resent, 0)
    const rest = recoveries.some(({ has_more }) => has_more) ? ' More events are missed.' : ''
    return `Resent ${formatCountWithNoun(resent, 'event')}.${rest}`
  })
  return (
    <div class="row push">
      <span role="status">{result}</span>
      <button
        type="button"
        aria-disabled={isRunning}
        onClick={run}
        title="Sends each event of the last 14 days whose deliveries failed or were skipped."
      >
        Resend all missed events
      </button>
      {error !== null && <ErrorNote error={error} />}
    </div>
  )
}
