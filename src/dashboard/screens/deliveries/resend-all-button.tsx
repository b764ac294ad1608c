import { formatCountWithNoun } from '../../../presentation/words.ts'
import { ErrorNote } from '../../components/placeholders.tsx'
import { post } from '../../data/api-client.ts'
import { realTime } from '../../data/real-time.ts'
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

/** The age of the oldest failure that the server sends again. */
const RECOVERED_SECONDS = 14 * 86_400 - 60

/** Sends all events again that the endpoints have not received, and shows their number. */
export function ResendAllButton({ endpoints, onResent }: ResendAllProps) {
  const { isRunning, result, error, run } = useAction(async () => {
    let resent = 0
    for (const id of endpoints) {
      let recovery: Recovery
      do {
        const body = { since: realTime() - RECOVERED_SECONDS }
        recovery = await post<Recovery>(`/v1/webhook_endpoints/${id}/recover`, body).finally(onResent)
        resent += recovery.resent
      } while (recovery.has_more && recovery.resent > 0)
    }
    return resent
  })
  return (
    <div class="row push">
      <span role="status">{result !== null && `Resent ${formatCountWithNoun(result, 'event')}.`}</span>
      <button type="button" aria-disabled={isRunning} onClick={run}>
        Resend all failed
      </button>
      {error !== null && <ErrorNote error={error} />}
    </div>
  )
}
