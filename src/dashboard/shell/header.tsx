import { Link } from '../components/links.tsx'
import type { Page } from '../data/api-client.ts'
import { useApi } from '../data/use-api.ts'
import { useLive } from '../data/use-live.ts'
import { navigate, screenUrl } from '../routing/router.ts'
import { SCREENS } from './screens.tsx'
import { Search } from './search.tsx'

interface HeaderProps {
  /** The folder of the screen that is shown. */
  readonly folder: string | null
  readonly sandbox: string
}

const STATES = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost' } as const

/** The top of every screen: navigation, search, sandbox and the state of the connection. */
export function Header({ folder, sandbox }: HeaderProps) {
  const state = useLive()?.state() ?? 'connecting'
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
      </div>
      <nav aria-label="Screens">
        {SCREENS.filter(({ isListed }) => isListed).map((screen) => (
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
  const { data } = useApi<Page<SandboxEntry>>(sandbox === 'default' ? '/v1/sandboxes' : null, {
    ...{ status: 'active', limit: 100 },
  })
  const others = (data?.data ?? []).filter(({ id }) => id !== 'default')
  if (sandbox === 'default' && others.length === 0) return null
  const options = sandbox === 'default' ? others : [{ id: sandbox, name: null }]
  return (
    <label class="sandbox-select">
      <span>Sandbox</span>
      <select value={sandbox} onChange={(event) => navigate(screenUrl([], {}, event.currentTarget.value))}>
        <option value="default">default</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? id}
          </option>
        ))}
      </select>
    </label>
  )
}
