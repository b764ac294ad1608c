import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import type { Client } from '../../src/client/client.ts'
import { launchBrowser } from '../support/chromium.ts'
import { type Figure, type FigureRow, plainRow, withUnit } from './figure.ts'
import { customerId, digitsOf } from './records.ts'
import { median } from './rounds.ts'
import { clientOf, type DaemonServer, startDaemonServer } from './servers.ts'

/**
 * The number of records in the database. Each record has an event, so the database has twice as many objects. Every
 * fifth record is a payment.
 */
const RECORDS = 50_000
const VIEWS = 7
const QUICK_VIEWS = 3
const MOST_VIEW_MS = 200
const EVENTS_PER_SECOND = 1000
/** The number of events of a payment: `payment.created` and `payment.succeeded`. */
const EVENTS_PER_PAYMENT = 2
const CONNECTIONS = 32
const LOAD_SECONDS = 20
const QUICK_LOAD_SECONDS = 5
const MOST_TASK_MS = 100
/** Duration of the long task with which the measurement ends. */
const OWN_TASK_MS = 200

/** The name and the path of a screen, and a selector of its main contents. */
type Screen = readonly [name: string, path: string, answer: string]

/** The browser, its tools and this measurement take time on an empty page too. */
const EMPTY: Screen = ['an empty page', '-none', 'body']
const SCREENS: readonly Screen[] = [
  ['Live', '', '.feed li'],
  ['Payments', '/payments?test_clock=none', '[aria-label="Each payment"] tbody tr'],
  ['Customers', '/customers', 'tbody tr'],
  ['a customer', `/objects/${customerId(digitsOf(RECORDS - 2))}`, '.entry'],
  ['Requests', '/requests', 'tbody tr, .empty'],
]

/**
 * Opens dashboard screens in a sandbox with many objects, and watches the main thread of the Live screen while events
 * arrive.
 */
export const dashboard: Figure = async (bench) => {
  const place = await bench.ground.seeded({ shape: 'snapshot', size: RECORDS, blend: 'paid' })
  const daemon = await startDaemonServer(bench, { ...place, hasDashboard: true })
  const browser = await launchBrowser()
  const rows: FigureRow[] = []
  const measureViews = async ([name, path, answer]: Screen): Promise<number> => {
    const views: number[] = []
    while (views.length < (bench.isQuick ? QUICK_VIEWS : VIEWS)) {
      const view = await openView(browser, daemon, { path, answer })
      views.push(view.busyMs)
      await view.page.context().close()
    }
    bench.note(`first view of ${name}: ${views.map(Math.round).join(', ')} ms of the main thread`)
    return median(views)
  }
  try {
    const emptyMs = await measureViews(EMPTY)
    for (const screen of SCREENS) {
      const busyMs = (await measureViews(screen)) - emptyMs
      const what = `dashboard, ${2 * RECORDS} objects, first view of ${screen[0]}: main thread, more than an empty page`
      rows.push({ ...limitRow(what, busyMs, MOST_VIEW_MS), baseline: withUnit(emptyMs, 'ms') })
    }
    rows.push(...(await watchLive(browser, daemon, bench)))
    return rows
  } finally {
    await browser.close()
    await daemon.end()
    await bench.ground.release(place)
  }
}

function limitRow(what: string, value: number, most: number): FigureRow {
  const met = value <= most ? 'yes' : 'NO'
  return plainRow({ what, paycli: withUnit(value, 'ms'), target: `≤ ${most} ms`, met })
}

interface View {
  readonly page: Page
  readonly session: CDPSession
  /** Busy time of the main thread until the page has the main contents of the screen, in milliseconds. */
  readonly busyMs: number
}

/** Signs a new profile in and opens a screen with an empty cache. */
async function openView(
  browser: Browser,
  { port, child }: DaemonServer,
  { path, answer }: { readonly path: string; readonly answer: string },
): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } })
  const login = await context.newPage()
  // Only the cookie is needed: scripts and data would be in the cache of the next page.
  await login.route(/\.(js|css)$/, (route) => route.abort())
  await login.goto(await child.call('newDashboardUrl'))
  await login.close()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(`http://127.0.0.1:${port}/dashboard${path}`)
  // Wait for the state `attached`, because a check of visibility would use the main thread.
  await page.locator(answer).first().waitFor({ state: 'attached' })
  return { page, session, busyMs: await readBusyMs(session) }
}

async function readBusyMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

/** Creates payments while Live is open, and returns how long its main thread was blocked. */
async function watchLive(
  browser: Browser,
  daemon: DaemonServer,
  bench: Parameters<Figure>[0],
): Promise<FigureRow[]> {
  const [, path, answer] = SCREENS[0] ?? ['', '', '']
  const { page, session } = await openView(browser, daemon, { path, answer })
  const seconds = bench.isQuick ? QUICK_LOAD_SECONDS : LOAD_SECONDS
  const client = clientOf(daemon)
  const customer = await createPayer(client)
  await page.evaluate(`globalThis.longTasks = []
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longTasks.push(duration)
}).observe({ type: 'longtask' })`)
  const busyBefore = await readBusyMs(session)
  const startMs = performance.now()
  const created = await createPayments(client, customer, seconds)
  const elapsedMs = performance.now() - startMs
  const busy = ((await readBusyMs(session)) - busyBefore) / elapsedMs
  const tasks = await readLongTasks(page)
  const rate = Math.round((created * 1000) / elapsedMs)
  const counters = (await page.getByText('events/s').locator('..').innerText()).replaceAll(/\s+/g, ' ')
  bench.note(`Live shows ${counters}; tasks over 50 ms: ${tasks.map(Math.round).join(', ') || 'none'}`)
  const what = `dashboard, Live at ${rate} events/s for ${seconds} s`
  return [
    limitRow(`${what}: longest task over 50 ms`, Math.max(0, ...tasks), MOST_TASK_MS),
    plainRow({ what: `${what}: main thread busy`, paycli: withUnit(busy * 100, '%') }),
  ]
}

async function readLongTasks(page: Page): Promise<number[]> {
  const tasks = await page.evaluate<number[]>(`new Promise((resolve) => setTimeout(() => {
  const endMs = performance.now() + ${OWN_TASK_MS}
  while (performance.now() < endMs);
  setTimeout(() => resolve(longTasks), ${OWN_TASK_MS})
}))`)
  // The last task, which this function causes, shows that the browser reports long tasks.
  if (tasks.pop() === undefined) throw new Error('the browser reports no long tasks')
  return tasks
}

/** Creates a customer with a saved card. */
async function createPayer({ call }: Client): Promise<string> {
  const { id: customer } = await call(api.customers.create, { email: 'ada@example.com' })
  const { id } = await call(api.paymentSessions.create, {
    ...{ customer, amount: 1250, currency: 'eur', save_payment_method: true },
    ...{ payment_method_types: ['card'], return_url: 'https://shop.example/thanks' },
  })
  await call(api.paymentSessions.complete, { id, test_card: 'visa' })
  return customer
}

/** Charges a card at a steady rate, or as fast as possible if that is slower; resolves with the number of events. */
async function createPayments(client: Client, customer: string, seconds: number): Promise<number> {
  const first = await newestSequence(client)
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  let created = 0
  const write = async () => {
    while (performance.now() < endMs) {
      const waitMs = startMs + (created * EVENTS_PER_PAYMENT * 1000) / EVENTS_PER_SECOND - performance.now()
      created += 1
      if (waitMs > 0) await sleep(waitMs)
      await client.call(api.payments.create, { customer, amount: 1000 + created, currency: 'eur' })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, write))
  return (await newestSequence(client)) - first
}

async function newestSequence({ call }: Client): Promise<number> {
  const { data } = await call(api.events.list, { limit: 1 })
  return data[0]?.sequence ?? 0
}
