import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'

const PAGES = join('src', 'pages')
/** The functions that put a page layout around content. */
const LAYOUT_FUNCTIONS = [
  'renderDocument',
  'renderFormPage',
  'createStatusPageResponse',
  'createPage',
  'createPlainPage',
]
const CALLS_LAYOUT = new RegExp(String.raw`\b(?:${LAYOUT_FUNCTIONS.join('|')})\(|\): StatusPageContent \{`)

/** Returns the names of the functions in `src/pages` that render a complete page. */
export function findPageRenderers(): string[] {
  const folder = join(ROOT, PAGES)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('languages'))
    .flatMap((name) => findRenderers(readFileSync(join(folder, name), 'utf8')))
    .filter((name) => !LAYOUT_FUNCTIONS.includes(name))
}

function findRenderers(text: string): string[] {
  return text
    .split(/^(?:export )?(?:async )?function /m)
    .slice(1)
    .flatMap((body) => {
      const [, name = '', rest = ''] = /^(\w+)(.*)$/s.exec(body) ?? []
      return CALLS_LAYOUT.test(rest) ? [name] : []
    })
}

/** Records which functions of `src/pages` are called in this process. */
export interface CallRecorder {
  readonly during: <T>(work: () => Promise<T>) => Promise<{ readonly result: T; readonly called: string[] }>
  readonly close: () => void
}

/** Starts to record calls with the precise coverage of V8. */
export async function startCallRecorder(): Promise<CallRecorder> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // Taking the counts resets them.
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
