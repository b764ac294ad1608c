import { type Column, DataTable } from '../../components/data-table.tsx'
import { fieldColumn } from '../../components/field-value.tsx'
import { ErrorNote, Loading } from '../../components/placeholders.tsx'
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
  const columns: readonly Column<Session>[] = [
    {
      label: 'Browser',
      cell: ({ browser, is_current }) => `${browser}${is_current ? ' · this browser' : ''}`,
    },
    {
      label: 'Action',
      cell: (session) => (
        <button type="button" onClick={() => end(session)}>
          {session.is_current ? 'Sign out' : 'End session'}
        </button>
      ),
    },
    { label: 'API key', cell: ({ api_key: { id, name } }) => <bdi>{name ?? id}</bdi> },
    fieldColumn('created'),
    fieldColumn('expires_at'),
  ]
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
        <DataTable label="Sessions" columns={columns} items={data.data} keyOf={({ id }) => id} />
      )}
    </div>
  )
}
