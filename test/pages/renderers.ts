import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'

const PAGES = join('src', 'pages')
/** What puts a whole page around its content, or asks for that. */
const FRAMES = ['layout', 'closed', 'outcome', 'referencePage']
const FRAMED = new RegExp(String.raw`\b(?:${FRAMES.join('|')})\(|\): Closed \{`)

/** The functions that make a whole page each, by name: whatever in `src/pages` puts a page around its content. */
export function pageRenderers(): string[] {
  const folder = join(ROOT, PAGES)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('languages'))
    .flatMap((name) => renderersIn(readFileSync(join(folder, name), 'utf8')))
    .filter((name) => !FRAMES.includes(name))
}

function renderersIn(text: string): string[] {
  return text
    .split(/^(?:export )?(?:async )?function /m)
    .slice(1)
    .flatMap((body) => {
      const [, name = '', rest = ''] = /^(\w+)(.*)$/s.exec(body) ?? []
      return FRAMED.test(rest) ? [name] : []
    })
}

/** Tells which functions of `src/pages` were called while something was rendered in this process. */
export interface CallWatch {
  readonly during: <T>(work: () => Promise<T>) => Promise<{ readonly result: T; readonly called: string[] }>
  readonly close: () => void
}

/** Starts to count calls, as V8 does for measuring coverage. */
export async function watchCalls(): Promise<CallWatch> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // Taking the counts begins them anew.
  const take = () => session.post('Profiler.takePreciseCoverage')
  return {
    async during(work) {
      await take()
      const result = await work()
      const counted = await take()
      const called = counted.result
        .filter(({ url }) => url.includes(`/${PAGES}/`))
        .flatMap(({ functions }) => functions)
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName)
      return { result, called }
    },
    close: () => session.disconnect(),
  }
}
