import { useLayoutEffect, useState } from 'preact/hooks'

const ROOT = '/dashboard'
/** The id of the sandbox that always exists. */
export const DEFAULT_SANDBOX_ID = 'default'
const SANDBOX_ID = /^sbx_[0-9A-Za-z]{24}$/
const SANDBOX = 'sandbox'
/** The event on `window` when the script changes the URL; browsers emit no event for such a change. */
const NAVIGATION = 'paycli:navigation'

/**
 * Reads the route of the current URL: the segments below /dashboard, the filters, and the sandbox id (default:
 * `default`).
 */
export function readRoute() {
  const { pathname, search } = window.location
  const query = new URLSearchParams(search)
  const selected = query.get(SANDBOX) ?? ''
  // The id is validated, because it becomes part of paths and of commands that the user copies.
  const sandbox = SANDBOX_ID.test(selected) ? selected : DEFAULT_SANDBOX_ID
  query.delete(SANDBOX)
  const segments = pathname.slice(ROOT.length).split('/').filter(Boolean).map(decodeSegment)
  return { segments, query, sandbox }
}

// A link may contain invalid percent-encoding.
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the URL of a screen in the current sandbox. */
export function getScreenUrl(
  segments: readonly string[],
  query: Readonly<Record<string, string>> = {},
  sandbox: string = readRoute().sandbox,
): string {
  const params = new URLSearchParams(query)
  if (sandbox !== DEFAULT_SANDBOX_ID) params.set(SANDBOX, sandbox)
  const path = [ROOT, ...segments.map(encodeURIComponent)].join('/')
  return params.size === 0 ? path : `${path}?${params}`
}

/** Returns the flag that selects the current sandbox on the command line, with a leading space. */
export function formatSandboxFlag(): string {
  const { sandbox } = readRoute()
  return sandbox === DEFAULT_SANDBOX_ID ? '' : ` --sandbox ${sandbox}`
}

/** Opens a screen of the dashboard. */
export function navigate(url: string): void {
  window.history.pushState(null, '', url)
  window.dispatchEvent(new Event(NAVIGATION))
}

/** Opens a clicked link to another screen without loading a new page. */
export function openClickedLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link?.getAttribute('href')?.startsWith(ROOT)) return
  // Leave clicks that open new tabs and windows to the browser.
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  navigate(link.href)
}

/** Returns the current route, and renders again when it changes. */
export function useRoute() {
  const [route, setRoute] = useState(readRoute)
  // A normal effect would run one frame after the screen is drawn, and lose navigations before that frame.
  useLayoutEffect(() => {
    const update = () => setRoute(readRoute())
    window.addEventListener('popstate', update)
    window.addEventListener(NAVIGATION, update)
    return () => {
      window.removeEventListener('popstate', update)
      window.removeEventListener(NAVIGATION, update)
    }
  }, [])
  return route
}

/**
 * Returns the filters with these names, which are the query of the URL of the screen, and renders again when they change. A
 * filter without a value is ''; `isFiltered` is true if any filter has a value.
 */
export function useFilters<N extends string>(names: readonly N[]) {
  const { query } = useRoute()
  const entries = names.map((name) => [name, query.get(name)?.trim() ?? ''])
  return {
    values: Object.fromEntries(entries) as Readonly<Record<N, string>>,
    isFiltered: entries.some(([, value]) => value !== ''),
  }
}

/** Changes filters in the URL of the screen without a new entry in the history; '' removes a filter. */
export function setFilters(changes: Readonly<Record<string, string>>): void {
  const { segments, query } = readRoute()
  const filters = Object.entries({ ...Object.fromEntries(query), ...changes }).filter(
    ([, value]) => value !== '',
  )
  window.history.replaceState(null, '', getScreenUrl(segments, Object.fromEntries(filters)))
  window.dispatchEvent(new Event(NAVIGATION))
}
