import type { DashboardSession } from '../../../domain/sandboxes/dashboard-sessions.ts'
import type { DataTableColumn } from '../../components/data-table.tsx'
import { ListView } from '../../components/list-view.tsx'
import { ErrorNote } from '../../components/placeholders.tsx'
import { createFieldColumn } from '../../components/values.tsx'
import { post, signOut } from '../../data/api-client.ts'
import { useAction } from '../../data/use-action.ts'
import { useList } from '../../data/use-list.ts'

/** A browser that is signed in to the dashboard. */
interface Session extends Pick<DashboardSession, 'id' | 'created' | 'expires_at' | 'browser'> {
  readonly api_key: { readonly id: string; readonly name: string | null }
  readonly is_current: boolean
}

/** Shows the browsers that are signed in with API keys of this sandbox, each with a button that signs it out. */
export function SignedInBrowsersScreen() {
  const list = useList<Session>({ path: '/sessions', query: {} })
  const { run: end, error } = useAction(async ({ id, is_current }: Session) => {
    await (is_current ? signOut() : post(`/sessions/${id}/end`))
    list.reload()
  })
  const columns: readonly DataTableColumn<Session>[] = [
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
    createFieldColumn('created'),
    createFieldColumn('expires_at'),
  ]
  return (
    <div class="stack">
      <h1>Sessions</h1>
      <p class="quiet">
        The browsers that API keys of this sandbox signed in. A session also ends when its API key is revoked
        or expires.
      </p>
      {error !== null && <ErrorNote error={error} />}
      <ListView
        {...{ list, columns, noun: 'session' }}
        empty={<p role="status">No browser is signed in with a key of this sandbox.</p>}
      />
    </div>
  )
}
