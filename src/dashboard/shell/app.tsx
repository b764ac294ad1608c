import { useEffect, useState } from 'preact/hooks'
import { ErrorNote } from '../components/placeholders.tsx'
import { RequestError } from '../data/api-client.ts'
import { type LiveFeed, openLiveFeed } from '../data/live-feed.ts'
import { LiveFeedContext } from '../data/use-live-feed.ts'
import { isObjectId } from '../format/format-field.ts'
import { getScreenUrl, useRoute } from '../routing/router.ts'
import { ObjectScreen } from '../screens/objects/object-screen.tsx'
import { Header } from './header.tsx'
import { SCREENS } from './screens.tsx'

const [HOME] = SCREENS

/** Shows the dashboard: header, navigation and the screen that the URL selects. */
export function App() {
  const { segments, sandbox } = useRoute()
  const { feed, isSignedOut } = useFeed(sandbox)
  const [folder = HOME?.folder, id = null] = segments
  const screen = SCREENS.find((one) => one.folder === folder)
  useEffect(() => {
    document.title = `${id ?? screen?.title ?? 'Not found'} · paycli dashboard`
  }, [screen, id])
  // The id becomes part of paths of the API and of commands to copy. If the id is invalid, the object screen shows an
  // error.
  const { component: List, object = ObjectScreen } = screen ?? {}
  const Detail = id !== null && isObjectId(id) ? object : ObjectScreen
  return (
    <LiveFeedContext.Provider value={feed}>
      <a class="skip" href="#screen">
        Skip to the content
      </a>
      <Header folder={screen?.folder ?? null} sandbox={sandbox} />
      <main id="screen" tabIndex={-1}>
        {isSignedOut && (
          <ErrorNote error={{ message: 'This browser is no longer signed in. Run paycli open dashboard.' }} />
        )}
        {List === undefined && <h1>There is no screen at this address</h1>}
        {List !== undefined && id === null && <List key={`${sandbox} ${folder}`} />}
        {List !== undefined && id !== null && (
          <>
            <a href={getScreenUrl([screen?.folder ?? ''])}>Back to {screen?.title}</a>
            <Detail key={`${sandbox} ${id}`} id={id} />
          </>
        )}
      </main>
    </LiveFeedContext.Provider>
  )
}

function useFeed(sandbox: string) {
  const [feed, setFeed] = useState<LiveFeed | null>(null)
  const [isSignedOut, setSignedOut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the feed reads the sandbox from the route.
  useEffect(() => {
    const opened = openLiveFeed((error) => {
      if (!(error instanceof RequestError)) throw error
      setSignedOut(error.status === 401)
    })
    setFeed(opened)
    return opened.close
  }, [sandbox])
  return { feed, isSignedOut }
}
