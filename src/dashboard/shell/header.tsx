import { Link } from '../components/links.tsx'
import type { Page } from '../data/api-client.ts'
import { SESSION_SANDBOX, signOut } from '../data/session.ts'
import { useLiveFeed } from '../data/use-live-feed.ts'
import { useApi } from '../data/use-load.ts'
import { DEFAULT_SANDBOX, navigate, screenUrl } from '../routing/router.ts'
import { SCREENS } from './screens.tsx'
import { Search } from './search.tsx'

interface HeaderProps {
  /** The folder of the screen that is shown. */
  readonly folder: string | null
  readonly sandbox: string
}

const STATES = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost' } as const

/** Shows the top of every screen: navigation, search, sandbox and the state of the connection. */
export function Header({ folder, sandbox }: HeaderProps) {
  const state = useLiveFeed()?.state() ?? 'connecting'
  return (
    <header class="header">
      <div class="header-row">
        <Link href={screenUrl([])} class="brand">
          paycli
        </Link>
        <Search />
        <SandboxSelect sandbox={sandbox} />
        <span class={`connection connection-${state}`} role="status">
          {STATES[state]}
        </span>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </div>
      <nav aria-label="Screens">
        {SCREENS.map((screen) => (
          <Link key={screen.folder} href={screenUrl([screen.folder])} isCurrent={screen.folder === folder}>
            {screen.title}
          </Link>
        ))}
      </nav>
    </header>
  )
}

interface SandboxEntry {
  readonly id: string
  readonly name: string | null
}

function SandboxSelect({ sandbox }: Pick<HeaderProps, 'sandbox'>) {
  const isDefault = sandbox === DEFAULT_SANDBOX
  const { data: all } = useApi<Page<SandboxEntry>>(isDefault ? '/v1/sandboxes' : null, {
    ...{ status: 'active', limit: 100 },
  })
  const { data: own } = useApi<SandboxEntry>(isDefault ? null : '/v1/sandboxes/current')
  const others = isDefault ? (all?.data ?? []) : [own ?? { id: sandbox, name: null }]
  if (others.length === 0) return null
  return (
    <label class="row quiet">
      <span>Sandbox</span>
      <select value={sandbox} onChange={(event) => navigate(screenUrl([], {}, event.currentTarget.value))}>
        {SESSION_SANDBOX === DEFAULT_SANDBOX && <option value={DEFAULT_SANDBOX}>default</option>}
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? id}
          </option>
        ))}
      </select>
    </label>
  )
}
