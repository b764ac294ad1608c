import { ErrorNote, Loading } from '../../components/states.tsx'
import { UtcTime } from '../../components/values.tsx'
import { type Page, post } from '../../data/api-client.ts'
import { signOut } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useApi } from '../../data/use-load.ts'

/** A browser that is signed in to the dashboard. */
interface Session {
  readonly id: string
  readonly created: number
  readonly expires_at: number
  readonly browser: string
  readonly api_key: { readonly id: string; readonly name: string | null }
  readonly is_current: boolean
}

/** Shows the browsers that are signed in with API keys of this sandbox, each with a button that signs it out. */
export function SessionsScreen() {
  const { data, error: readError, isLoading, reload } = useApi<Page<Session>>('/sessions')
  const { run: end, error: endError } = useAction(async ({ id, is_current }: Session) => {
    await (is_current ? signOut() : post(`/sessions/${id}/end`))
    reload()
  })
  const error = endError ?? readError
  return (
    <div class="stack">
      <h1>Sessions</h1>
      <p class="quiet">
        The browsers that API keys of this sandbox signed in. A session also ends when its API key is revoked
        or expires.
      </p>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && <Loading />}
      {data?.data.length === 0 && <p role="status">No browser is signed in with a key of this sandbox.</p>}
      {data !== null && data.data.length > 0 && (
        <ul class="panel list">
          {data.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end(session)} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface SessionRowProps {
  readonly session: Session
  readonly onEnd: () => void
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { browser, created, expires_at, api_key, is_current } = session
  return (
    <li class="row spread">
      <div>
        <strong>{browser}</strong>
        {is_current && ' · this browser'}
        <div class="quiet">
          signed in <UtcTime at={created} /> with the key <bdi>{api_key.name ?? api_key.id}</bdi>, until{' '}
          <UtcTime at={expires_at} />
        </div>
      </div>
      <button type="button" onClick={onEnd}>
        {is_current ? 'Sign out' : 'End session'}
      </button>
    </li>
  )
}
