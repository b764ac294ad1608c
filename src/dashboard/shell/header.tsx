import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import { Select } from '../components/filter-bar.tsx'
import type { ApiListPage } from '../data/api-client.ts'
import { SIGNED_IN_SANDBOX, signOut } from '../data/api-client.ts'
import { useLiveFeed } from '../data/use-live-feed.ts'
import { useApi } from '../data/use-load.ts'
import { DEFAULT_SANDBOX_ID, getScreenUrl, navigate } from '../routing/router.ts'
import { SCREENS } from './screens.tsx'
import { Search } from './search.tsx'

interface HeaderProps {
  /** The first segment of the screen's URL; null for an unknown screen. */
  readonly folder: string | null
  readonly sandbox: string
}

const STATES = {
  connecting: ['quiet', 'Connecting'],
  live: ['good', 'Live'],
  lost: ['bad', 'Connection lost'],
} as const

/** Shows the header of every screen: navigation, search, sandbox and connection state. */
export function Header({ folder, sandbox }: HeaderProps) {
  const [tone, text] = STATES[useLiveFeed()?.state() ?? 'connecting']
  return (
    <header class="header">
      <div class="row">
        <a href={getScreenUrl([])} class="brand">
          paycli
        </a>
        <Search />
        <SandboxSelect sandbox={sandbox} />
        <span class={`connection push ${tone}`} role="status">
          {text}
        </span>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </div>
      <nav class="row" aria-label="Screens">
        {SCREENS.map((screen) => (
          <a
            key={screen.folder}
            href={getScreenUrl([screen.folder])}
            aria-current={screen.folder === folder ? 'page' : undefined}
          >
            {screen.title}
          </a>
        ))}
      </nav>
    </header>
  )
}

type SandboxEntry = Pick<Sandbox, 'id' | 'name'>

function SandboxSelect({ sandbox }: Pick<HeaderProps, 'sandbox'>) {
  const isDefault = sandbox === DEFAULT_SANDBOX_ID
  const query = { status: 'active', limit: 100 }
  const { data: all } = useApi<ApiListPage<SandboxEntry>>(isDefault ? '/v1/sandboxes' : null, query)
  const { data: own } = useApi<SandboxEntry>(isDefault ? null : '/v1/sandboxes/current')
  const others = isDefault ? (all?.data ?? []) : [own ?? { id: sandbox, name: null }]
  if (others.length === 0) return null
  const choices = others.map(({ id, name }) => [id, name ?? id] as const)
  const hasDefault = SIGNED_IN_SANDBOX === DEFAULT_SANDBOX_ID
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in a component.
    <label class="row quiet">
      <span>Sandbox</span>
      <Select
        choices={hasDefault ? [[DEFAULT_SANDBOX_ID, DEFAULT_SANDBOX_ID], ...choices] : choices}
        value={sandbox}
        onChange={(id) => navigate(getScreenUrl([], {}, id))}
      />
    </label>
  )
}
